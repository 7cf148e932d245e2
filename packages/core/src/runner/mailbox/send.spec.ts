import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  type Content,
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  InMemorySessionService,
  type Plugin,
  type Runner,
  SessionService,
  type ToolContext,
} from '../../index.js';
import type { DefinedAgentOptions } from '../../backend.js';

const KEY = { userId: 'ada', sessionId: 's1' };
const APP = { appName: 'clerk', ...KEY };

const opened: Runner[] = [];

afterEach(async () => {
  for (const runner of opened.splice(0)) await runner.close();
});

describe('a message that is sent while a run is open', () => {
  it('is read before the next model call, and never between calls and their responses', async () => {
    const { runner, model, tool, store } = await start([
      { content: { role: 'model', parts: [call('a'), call('b')] } },
      callsTool('step', {}),
      says('Stopped.'),
    ]);
    const run = runner.run({ ...KEY, message: 'Do three steps.' });
    const shown = eventsOf(run);
    await tool.began(2);
    const sent = await runner.send(KEY, 'Only one, please.');
    tool.finish();
    await tool.began(3);
    tool.finish();
    const events = await shown;

    expect(sent.invocationId).toBe(run.invocationId);
    expect((await sent.run)?.events).toEqual([]);
    expect(await logOf(store)).toEqual([
      'user: Do three steps.',
      'clerk: step() step()',
      'clerk: step=done step=done',
      'user: Only one, please.',
      'clerk: step()',
      'clerk: step=done',
      'clerk: Stopped.',
    ]);
    expect(model.requests.map((request) => JSON.stringify(request.contents).includes('Only one'))).toEqual([
      false,
      true,
      true,
    ]);
    expect(events.map(({ author }) => author)).toEqual(['clerk', 'clerk', 'user', 'clerk', 'clerk', 'clerk']);
    expect(await store.listMail(APP)).toEqual([]);
    expect(model.requests).toHaveLength(3);
  });

  it('belongs to the turn of its run: an agent that reads only its turn still reads what began it', async () => {
    const { runner, model, tool } = await start([callsTool('step', {}), says('Done.')], {
      includeContents: 'none',
    });
    const shown = eventsOf(runner.run({ ...KEY, message: 'Do a step.' }));
    await tool.began(1);
    await runner.send(KEY, 'Quickly.');
    tool.finish();
    await shown;

    const texts = model.requests[1]?.contents.flatMap(({ parts = [] }) =>
      parts.flatMap(({ text }) => text ?? []),
    );
    expect(texts).toEqual(['Do a step.', 'Quickly.']);
  });

  it('is no answer of the run: one whose model fails after it has no text', async () => {
    const failure = { errorCode: 'MODEL_DOWN', errorMessage: 'It is down.' };
    const { runner, tool } = await start([callsTool('step', {}), failure]);
    const run = runner.run({ ...KEY, message: 'Do a step.' });
    const result = run.then((ended) => ended);
    await tool.began(1);
    await runner.send(KEY, 'Quickly.');
    tool.finish();

    expect(await result).toMatchObject({ status: 'failed', text: '' });
  });

  it('begins a run of its own when no further model call comes', async () => {
    const { runner, tool, store } = await start([callsTool('last', {}), says('Now yours.')]);
    const shown = eventsOf(runner.run({ ...KEY, message: 'Do a step.' }));
    await tool.began(1);
    const { id } = await runner.send(KEY, 'And then?');
    tool.finish();
    await shown;
    await ended(runner);

    expect((await logOf(store)).slice(-2)).toEqual(['user: And then?', 'clerk: Now yours.']);
    expect((await store.getSession(APP))?.events.at(-1)?.invocationId).toBe(id);
    expect(await store.listMail(APP)).toEqual([]);
  });

  it('waits for a run of its own if another principal began the run: nobody speaks in the name of others', async () => {
    const { runner, tool, store } = await start([callsTool('step', {}), says('Done.'), says('Hello Eve.')]);
    const shown = eventsOf(runner.run({ ...KEY, message: 'Do a step.' }));
    await tool.began(1);
    await runner.send(KEY, 'Pay me.', { by: 'eve' });
    tool.finish();
    await shown;
    await ended(runner);

    expect((await logOf(store)).slice(-3)).toEqual(['clerk: Done.', 'user: Pay me.', 'clerk: Hello Eve.']);
  });

  it('with `next` has a run of its own, in the order in which they were sent', async () => {
    const { runner, tool, store } = await start([
      callsTool('step', {}),
      says('Done.'),
      says('One.'),
      says('Two.'),
    ]);
    const shown = eventsOf(runner.run({ ...KEY, message: 'Do a step.' }));
    await tool.began(1);
    await runner.send(KEY, 'First.', { when: 'next' });
    await runner.send(KEY, 'Second.', { when: 'next' });
    tool.finish();
    await shown;
    await ended(runner);

    expect((await logOf(store)).slice(-5)).toEqual([
      'clerk: Done.',
      'user: First.',
      'clerk: One.',
      'user: Second.',
      'clerk: Two.',
    ]);
  });

  it('with `instead` cancels the run, whose calls get responses, and goes before what waits', async () => {
    const { runner, tool, store } = await start([callsTool('step', {}), says('Instead.'), says('Later.')]);
    const shown = eventsOf(runner.run({ ...KEY, message: 'Do a step.' }));
    await tool.began(1);
    await runner.send(KEY, 'Later.', { when: 'next' });
    const { run } = await runner.send(KEY, 'Stop, do this.', { when: 'instead' });
    const last = (await shown).at(-1);
    await run;
    await ended(runner);

    expect(last?.errorCode).toBe('CANCELLED');
    const log = await logOf(store);
    expect(log.slice(0, 3)).toEqual([
      'user: Do a step.',
      'clerk: step()',
      expect.stringMatching(/^clerk: step=.*unknown/),
    ]);
    expect(log.slice(-4)).toEqual([
      'user: Stop, do this.',
      'clerk: Instead.',
      'user: Later.',
      'clerk: Later.',
    ]);
  });
});

describe('a message that is sent while no run is open', () => {
  it('begins one, also in a conversation that does not exist', async () => {
    const { runner, store } = await start([says('Hello.')]);

    const { run, id, invocationId } = await runner.send(KEY, 'Hi.');

    expect(await run?.text).toBe('Hello.');
    expect([run?.invocationId, invocationId]).toEqual([id, id]);
    expect(await logOf(store)).toEqual(['user: Hi.', 'clerk: Hello.']);
  });

  it('does not answer an approval that waits', async () => {
    const { runner, tool } = await start([callsTool('pay', {}), says('It waits.')]);
    await runner.run({ ...KEY, message: 'Pay.' });

    await (
      await runner.send(KEY, 'Yes, I approve.')
    ).run;

    expect(await runner.pending(KEY)).toMatchObject([{ kind: 'confirmation', tool: 'pay' }]);
    expect(tool.calls).toBe(0);
  });

  it('is refused before it is stored if it is empty, answers a request, or has a time that does not exist', async () => {
    const { runner, store } = await start([]);
    const answer = { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'pay', response: {} } }] };

    await expect(runner.send(KEY, '')).rejects.toMatchObject({ code: 'MESSAGE_INVALID' });
    await expect(runner.send(KEY, answer)).rejects.toMatchObject({ code: 'MESSAGE_INVALID' });
    await expect(runner.send(KEY, 'Hi', { when: 'soon' as 'now' })).rejects.toMatchObject({
      code: 'RUN_CONFIG_INVALID',
    });
    await expect(runner.send(KEY, 'Hi', { by: { id: '' } })).rejects.toMatchObject({
      code: 'PRINCIPAL_INVALID',
    });
    expect(await store.getSession(APP)).toBeUndefined();
  });
});

describe('the mailbox of a session', () => {
  it('holds a hundred messages, and refuses more before they are stored', async () => {
    const { runner, tool, store } = await start([callsTool('step', {}), ...answers(101)]);
    const shown = eventsOf(runner.run({ ...KEY, message: 'Do a step.' }));
    await tool.began(1);
    for (let number = 0; number < 100; number++) await runner.send(KEY, `No. ${String(number)}`);

    await expect(runner.send(KEY, 'One more')).rejects.toMatchObject({ code: 'MAILBOX_FULL' });
    expect(await store.listMail(APP)).toHaveLength(100);
    tool.finish();
    await shown;
    expect(await store.listMail(APP)).toEqual([]);
    await (
      await runner.send(KEY, 'One more')
    ).run;
    expect((await logOf(store)).at(-2)).toBe('user: One more');
  });

  it('drops a message that a callback does not let through, and goes on', async () => {
    const refusing = {
      name: 'refusing',
      onUserMessage: ({ parts = [] }: Content): undefined => {
        if (parts[0]?.text === 'Bad.') throw new Error('Not this.');
        return undefined;
      },
    };
    const { runner, tool, store } = await start([callsTool('step', {}), says('Done.')], {}, undefined, [
      refusing,
    ]);
    const run = runner.run({ ...KEY, message: 'Do a step.' });
    const text = run.text;
    await tool.began(1);
    await runner.send(KEY, 'Bad.');
    await runner.send(KEY, 'Good.');
    tool.finish();

    expect(await text).toBe('Done.');
    await ended(runner);
    expect((await logOf(store)).slice(-2)).toEqual(['user: Good.', 'clerk: Done.']);
  });

  it('is deleted with its session, which a message that waited does not create again', async () => {
    const { runner, tool, store } = await start([callsTool('step', {}), says('Done.')]);
    const shown = eventsOf(runner.run({ ...KEY, message: 'Do a step.' })).catch(() => []);
    await tool.began(1);
    await runner.send(KEY, 'Later.', { when: 'next' });
    await store.deleteSession(APP);
    tool.finish();
    await shown;
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(await store.getSession(APP)).toBeUndefined();
  });

  it('keeps what waits when the conversation is rewound, and nothing that was undone is read again', async () => {
    const { runner, store } = await start([says('One.'), says('Two.')]);
    const { run, id } = await runner.send(KEY, 'First.');
    await run;
    await runner.rewind({ ...KEY, invocationId: id });
    await (
      await runner.send(KEY, 'Second.')
    ).run;

    expect(await runner.recover()).toEqual([]);
    expect((await logOf(store)).filter((line) => line === 'user: First.')).toHaveLength(1);
  });

  it('stays with the original when the conversation is forked', async () => {
    const { runner, tool, store } = await start([
      says('One.'),
      callsTool('step', {}),
      says('Done.'),
      says('Later.'),
    ]);
    const first = await runner.run({ ...KEY, message: 'Hi.' });
    const shown = eventsOf(runner.run({ ...KEY, message: 'Do a step.' }));
    await tool.began(1);
    await runner.send(KEY, 'Later.', { when: 'next' });
    const copy = await runner.fork({ ...KEY, at: first.events.at(-1)?.id });

    expect(
      await store.listMail({ appName: APP.appName, userId: copy.userId, sessionId: copy.sessionId }),
    ).toEqual([]);
    tool.finish();
    await shown;
    await ended(runner);
    expect((await logOf(store)).at(-1)).toBe('clerk: Later.');
  });
});

/** Two runners with one store stand for two processes. */
describe('a message that another process sends', () => {
  it('is read by the run that is open, before its next model call', async () => {
    const store = new InMemorySessionService();
    const here = await start([callsTool('step', {}), says('Done.')], {}, store);
    const there = await start([], {}, store);
    const shown = eventsOf(here.runner.run({ ...KEY, message: 'Do a step.' }));
    await here.tool.began(1);
    const { run } = await there.runner.send(KEY, 'Hurry.');
    await noticed();
    here.tool.finish();
    await shown;

    expect((await run)?.events).toEqual([]);
    expect((await logOf(store)).slice(-2)).toEqual(['user: Hurry.', 'clerk: Done.']);
    expect(there.model.requests).toEqual([]);
  });

  it('is read after the run that saw it, if whoever sent it has died', async () => {
    const store = new InMemorySessionService();
    const { runner, tool } = await start([callsTool('step', {}), says('Done.'), says('Hello.')], {}, store);
    const shown = eventsOf(runner.run({ ...KEY, message: 'Do a step.' }));
    await tool.began(1);
    await store.postMail(APP, { id: 'e-sent', body: { ...LEFT, when: 'next' } });
    await noticed();
    tool.finish();
    await shown;
    await ended(runner);

    expect((await logOf(store)).slice(-3)).toEqual(['clerk: Done.', 'user: Hi.', 'clerk: Hello.']);
  });

  it('goes before a later one, whoever sent it: their runs read the mailbox in its order', async () => {
    const store = new InMemorySessionService();
    const { runner } = await start([says('One.'), says('Two.'), says('Three.')], {}, store);
    await store.createSession(APP);
    await store.postMail(APP, { id: 'e-next', body: { ...LEFT, when: 'next' } });
    await store.postMail(APP, {
      id: 'e-instead',
      body: { ...LEFT, when: 'instead', message: text('Stop.') },
    });

    const { run } = await runner.send(KEY, 'Later.');

    expect(await run?.text).toBe('Three.');
    expect((await logOf(store)).filter((line) => line.startsWith('user'))).toEqual([
      'user: Stop.',
      'user: Hi.',
      'user: Later.',
    ]);
  });

  it('with `instead` ends the run there within a second, and is read once', async () => {
    const store = new InMemorySessionService();
    const here = await start([callsTool('step', {}), says('Instead.')], {}, store);
    const there = await start([says('Instead.')], {}, store);
    const shown = eventsOf(here.runner.run({ ...KEY, message: 'Do a step.' }));
    await here.tool.began(1);
    const { run } = await there.runner.send(KEY, 'Do this.', { when: 'instead' });
    expect((await shown).at(-1)?.errorCode).toBe('CANCELLED');
    await run;
    await Promise.all([ended(here.runner), ended(there.runner)]);

    const log = await logOf(store);
    expect(log.filter((line) => line === 'user: Do this.')).toHaveLength(1);
    expect(log.at(-1)).toBe('clerk: Instead.');
  });

  it('begins its run by recover if whoever sent it, and whoever had the session, have died', async () => {
    const store = new InMemorySessionService();
    const first = await start([], {}, store);
    await store.createSession(APP);
    await store.postMail(APP, { id: 'e-sent', body: LEFT });
    await first.runner.close();
    const next = await start([says('Hello.')], {}, store);

    const recovered = await next.runner.recover();

    expect(recovered).toMatchObject([{ invocationId: 'e-sent', outcome: 'resumed' }]);
    expect(await logOf(store)).toEqual(['user: Hi.', 'clerk: Hello.']);
    expect(await next.runner.recover()).toEqual([]);
  });
});

describe('a message whose store fails', () => {
  it.each(['getSession', 'listMail', 'appendEvent', 'openRun'] as const)(
    'is read when the store answers again, if `%s` failed before the message was stored',
    async (method) => {
      const store = new Failing();
      const { runner } = await start([says('Hello.')], {}, store);
      await store.createSession(APP);
      if (method === 'openRun') await leaveRun(store);
      store.failingNext = method;
      const { run } = await runner.send(KEY, 'Hi.');

      expect(await run?.text).toBe('Hello.');
      expect(store.failures).toBe(2);
      expect((await logOf(store)).slice(-2)).toEqual(['user: Hi.', 'clerk: Hello.']);
      expect(await store.listMail(APP)).toEqual([]);
    },
  );

  it('keeps its place: what was sent later is read later', async () => {
    const store = new Failing();
    const { runner } = await start([says('One.'), says('Two.')], {}, store);
    await store.createSession(APP);
    const first = await runner.send(KEY, 'First.');
    store.failingNext = 'appendEvent';
    const second = await runner.send(KEY, 'Second.');
    await Promise.all([first.run, second.run]);

    expect(await logOf(store)).toEqual(['user: First.', 'clerk: One.', 'user: Second.', 'clerk: Two.']);
  });
});

describe('the run of a message that waits', () => {
  it('is withdrawn with its message if it is cancelled', async () => {
    const { runner, tool, store } = await start([callsTool('step', {}), says('Done.')]);
    const shown = eventsOf(runner.run({ ...KEY, message: 'Do a step.' }));
    await tool.began(1);
    const { id, run } = await runner.send(KEY, 'Never mind.', { when: 'next' });

    expect(runner.cancel(id)).toBe(true);
    expect((await run)?.events.at(-1)?.errorCode).toBe('CANCELLED');
    tool.finish();
    await shown;
    await ended(runner);
    expect((await logOf(store)).at(-1)).toBe('clerk: Done.');
  });

  it('is left to others when the runner is closed', async () => {
    const { runner, tool, store } = await start([callsTool('step', {})]);
    const shown = eventsOf(runner.run({ ...KEY, message: 'Do a step.' }));
    await tool.began(1);
    await runner.send(KEY, 'Later.', { when: 'next' });
    await runner.close();
    await shown;

    expect(await store.listMail(APP)).toHaveLength(1);
  });

  it('is not cancelled by a message in the place of the open run, which goes before it', async () => {
    const store = new InMemorySessionService();
    const here = await start([callsTool('step', {})], {}, store);
    const there = await start([says('Instead.'), says('Later.')], {}, store);
    const shown = eventsOf(here.runner.run({ ...KEY, message: 'Do a step.' }));
    await here.tool.began(1);
    const later = await there.runner.send(KEY, 'Later.', { when: 'next' });
    const instead = await there.runner.send(KEY, 'Do this.', { when: 'instead' });
    await here.runner.close();
    await Promise.all([shown, later.run, instead.run]);

    expect((await logOf(store)).slice(-4)).toEqual([
      'user: Do this.',
      'clerk: Instead.',
      'user: Later.',
      'clerk: Later.',
    ]);
  });
});

/** A message of a process that has died. */
const LEFT = { kind: 'message', when: 'now', sentAt: 1, message: text('Hi.') };

function text(words: string): Content {
  return { role: 'user', parts: [{ text: words }] };
}

/** Leaves a run open whose process has given it up: the next run takes the session over. */
async function leaveRun(store: SessionService): Promise<void> {
  const { epoch } = await store.openRun(APP, { id: 'e-left', after: 0, at: 1, isHeld: true });
  await store.releaseRun({ ...APP, id: 'e-left', epoch });
}

/** A store of which one method fails twice, when the next mail is posted. */
class Failing extends InMemorySessionService {
  failingNext: 'getSession' | 'listMail' | 'appendEvent' | 'openRun' | undefined;
  failures = 0;
  private failing: Failing['failingNext'];

  override async postMail(...args: Parameters<SessionService['postMail']>) {
    await super.postMail(...args);
    this.failing = this.failingNext;
  }

  override async getSession(...args: Parameters<SessionService['getSession']>) {
    this.failIn('getSession');
    return super.getSession(...args);
  }

  override async listMail(...args: Parameters<SessionService['listMail']>) {
    this.failIn('listMail');
    return super.listMail(...args);
  }

  override async appendEvent(...args: Parameters<SessionService['appendEvent']>) {
    this.failIn('appendEvent');
    return super.appendEvent(...args);
  }

  override async openRun(...args: Parameters<SessionService['openRun']>) {
    this.failIn('openRun');
    return super.openRun(...args);
  }

  private failIn(method: Failing['failingNext']): void {
    if (this.failing !== method) return;
    if (++this.failures === 2) this.failing = undefined;
    throw new Error('The store has failed.');
  }
}

function answers(count: number): ScriptedStep[] {
  return Array.from({ length: count }, () => says('Read.'));
}

function call(id: string) {
  return { functionCall: { id, name: 'step', args: {} } };
}

/** Longer than a process takes to see that there is mail. */
function noticed(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 400));
}

async function ended(runner: Runner): Promise<void> {
  for (;;) {
    const open = await runner.findOpenRun(KEY);
    const mail = await runner.sessions.listMail({ appName: runner.appName, ...KEY });
    if (!open && mail.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A tool whose calls wait until they are to finish. */
class Slow {
  calls = 0;
  private waiting: (() => void)[] = [];
  private watchers: (() => void)[] = [];

  readonly run = (): Promise<string> => {
    this.calls++;
    for (const watch of this.watchers) watch();
    return new Promise((resolve) =>
      this.waiting.push(() => {
        resolve('done');
      }),
    );
  };

  async began(calls: number): Promise<void> {
    while (this.calls < calls) await new Promise<void>((resolve) => this.watchers.push(resolve));
  }

  finish(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

async function start(
  steps: readonly ScriptedStep[],
  options: Partial<DefinedAgentOptions> = {},
  store = new InMemorySessionService(),
  plugins: readonly Plugin[] = [],
) {
  const tool = new Slow();
  const slow = { description: 'One step.', run: tool.run };
  const tools = [
    new FunctionTool({ name: 'step', ...slow }),
    new FunctionTool({
      name: 'last',
      description: 'The last step.',
      run: (_args: object, context: ToolContext) => {
        context.actions.skipSummarization = true;
        return tool.run();
      },
    }),
    new FunctionTool({ name: 'pay', ...slow, confirm: true }),
  ];
  const model = new ScriptedModel(...steps);
  const module = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store));
  const Clerk = defineAgent({ name: 'clerk', model, tools, ...options });
  const runner = await createRunner(Clerk, { modules: [module], plugins });
  opened.push(runner);
  return { runner, model, tool, store };
}

async function logOf(store: SessionService): Promise<string[]> {
  const session = await store.getSession(APP);
  return (session?.events ?? []).flatMap(({ author, content }) => {
    const parts = content?.parts?.map(({ text, functionCall, functionResponse }) => {
      if (functionCall) return `${functionCall.name ?? ''}()`;
      if (!functionResponse) return text;
      const { result, error } = functionResponse.response ?? {};
      return `${functionResponse.name ?? ''}=${String(result ?? error)}`;
    });
    return parts ? [`${author}: ${parts.join(' ')}`] : [];
  });
}
