import { jest } from '@jest/globals';
import { eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  type CallbackContext,
  ConsoleLogger,
  type Content,
  createRunner,
  type Event,
  LlmAgent,
  Plugin,
} from '../../index.js';
import { RunnerClosedError } from '../../runner/errors.js';

describe('beforeAgent and afterAgent', () => {
  it('ask plugins first, in their order, and then the agent', async () => {
    const asked: string[] = [];
    const { events } = await run(says('Hello.'), asked, [new Noting('one', asked), new Noting('two', asked)]);

    expect(asked).toEqual([
      'one before',
      'two before',
      'clerk before',
      'one after',
      'two after',
      'clerk after',
    ]);
    expect(events.map(({ text }) => text)).toEqual(['Hello.']);
  });

  it('let the first answer end the chain: the agent does not run, and nothing comes after it', async () => {
    const asked: string[] = [];
    const { events, model } = await run(says('never said'), asked, [
      new Noting('one', asked),
      new Noting('two', asked, { before: 'We are closed.' }),
      new Noting('three', asked),
    ]);

    expect(asked).toEqual(['one before', 'two before']);
    expect(events.map(({ author, text }) => [author, text])).toEqual([['clerk', 'We are closed.']]);
    expect(model.requests).toEqual([]);
  });

  it('let afterAgent add to what the agent said, never replace it', async () => {
    const asked: string[] = [];
    const { events } = await run(says('Hello.'), asked, [
      new Noting('one', asked, { after: 'Was this helpful?' }),
      new Noting('two', asked),
    ]);

    expect(events.map(({ author, text }) => [author, text])).toEqual([
      ['clerk', 'Hello.'],
      ['clerk', 'Was this helpful?'],
    ]);
    expect(asked).toEqual(['one before', 'two before', 'clerk before', 'one after']);
  });

  it('cannot steer the run: they have no actions', async () => {
    class Closing extends Plugin {
      readonly name = 'closing';

      override beforeAgent(context: CallbackContext): void {
        (context as unknown as { actions: { escalate: boolean } }).actions.escalate = true;
      }
    }

    const { events } = await run(says('never said'), [], [new Closing()]);

    expect(events.map(({ errorCode }) => errorCode)).toEqual(['ACTIONS_UNAVAILABLE']);
  });

  it.each<[string, unknown, string, string]>([
    ['an error', new Error('the quota is spent'), 'CALLBACK_FAILED', 'failed: the quota is spent'],
    ['a text', 'no quota', 'CALLBACK_FAILED', 'failed: no quota'],
    ['an error of Adorn', new RunnerClosedError(), 'RUNNER_CLOSED', new RunnerClosedError().message],
  ])('end the run of their agent with an event when they throw %s', async (_what, thrown, code, message) => {
    const error = jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
    const before = await run(says('never said'), [], [new Failing('beforeAgent', thrown)]);
    const after = await run(says('Hello.'), [], [new Failing('afterAgent', thrown)]);

    const [failed] = before.events;
    expect(before.events).toHaveLength(1);
    expect(failed).toMatchObject({ author: 'clerk', errorCode: code, turnComplete: true });
    expect(failed?.errorMessage).toContain(message);
    expect(failed?.actions.stateDelta).toEqual({ asked: 'beforeAgent' });
    expect(before.model.requests).toEqual([]);
    expect(after.events.map(({ text, errorCode }) => [text, errorCode])).toEqual([
      ['Hello.', undefined],
      ['', code],
    ]);
    expect(after.stored.events.at(-1)).toMatchObject({ author: 'clerk', errorCode: code });
    expect(error.mock.calls).toMatchObject([
      ['the callback beforeAgent failed', { agent: 'clerk' }],
      ['the callback afterAgent failed', { agent: 'clerk' }],
    ]);
    error.mockRestore();
  });

  it('store what they said and what they wrote to the state', async () => {
    const asked: string[] = [];
    const plugin = new Noting('one', asked, {
      before: 'We are closed.',
      state: { 'app:closed': 1, 'temp:draft': 2 },
    });
    const { events, stored } = await run(says('never said'), asked, [plugin]);

    expect(events[0]?.actions.stateDelta).toEqual({ 'app:closed': 1 });
    expect(stored.events.map(({ author, text }) => [author, text])).toEqual([
      ['user', 'Hello?'],
      ['clerk', 'We are closed.'],
    ]);
    expect(stored.state).toEqual({ 'app:closed': 1 });
  });

  it('make an event of a write alone, before the agent asks its model', async () => {
    const asked: string[] = [];
    const { events, model } = await run(says('Hello, Ada.'), asked, [
      new Noting('one', asked, { state: { customer: 'Ada' } }),
    ]);

    expect(
      events.map(({ text, content, actions }) => [text, content === undefined, actions.stateDelta]),
    ).toEqual([
      ['', true, { customer: 'Ada' }],
      ['Hello, Ada.', false, {}],
    ]);
    expect(model.requests[0]?.config.systemInstruction).toContain('Serve Ada.');
  });
});

class Failing extends Plugin {
  readonly name = 'failing';

  constructor(
    private readonly hook: 'beforeAgent' | 'afterAgent',
    private readonly thrown: unknown,
  ) {
    super();
  }

  override beforeAgent(context: CallbackContext): void {
    this.fail('beforeAgent', context);
  }

  override afterAgent(context: CallbackContext): void {
    this.fail('afterAgent', context);
  }

  private fail(hook: string, { state }: CallbackContext): void {
    if (hook !== this.hook) return;
    state.set('asked', hook);
    throw this.thrown;
  }
}

interface Notes {
  readonly before?: string;
  readonly after?: string;
  readonly state?: Readonly<Record<string, unknown>>;
}

class Noting extends Plugin {
  constructor(
    readonly name: string,
    private readonly asked: string[],
    private readonly notes: Notes = {},
  ) {
    super();
  }

  override beforeAgent({ state }: CallbackContext): Content | undefined {
    this.asked.push(`${this.name} before`);
    for (const [key, value] of Object.entries(this.notes.state ?? {})) state.set(key, value);
    return said(this.notes.before);
  }

  override afterAgent(): Content | undefined {
    this.asked.push(`${this.name} after`);
    return said(this.notes.after);
  }
}

function said(text: string | undefined): Content | undefined {
  return text === undefined ? undefined : { role: 'model', parts: [{ text }] };
}

async function run(answer: ReturnType<typeof says>, asked: string[], plugins: readonly Plugin[]) {
  @agent({ name: 'clerk', description: '', instruction: 'Serve {customer?}.' })
  class Clerk extends LlmAgent {
    override beforeAgent(): undefined {
      asked.push('clerk before');
    }

    override afterAgent(): undefined {
      asked.push('clerk after');
    }
  }
  const model = new ScriptedModel(answer);
  const runner = await createRunner(Clerk, { model, plugins });
  const events: Event[] = await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message: 'Hello?' }));
  const stored = await runner.sessions.getSession({ appName: 'clerk', userId: 'ada', sessionId: 's1' });
  if (stored === undefined) throw new Error('the session was not stored');
  return { events, model, stored };
}
