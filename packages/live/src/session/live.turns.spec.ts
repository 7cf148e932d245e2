import {
  callsLive,
  drops,
  endsTurn,
  hears,
  type LiveStep,
  ManualClock,
  ScriptedLive,
  ScriptedModel,
  speaks,
  speech,
  untilResponse,
  untilText,
  writes,
} from '@adorn/testing';

import {
  agent,
  type CallbackContext,
  Clock,
  ContainerModule,
  FunctionTool,
  LlmAgent,
  Logger,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import type { LiveDirection, LiveSession } from '@adorn/core/backend';
import {
  createRunner,
  isTurnEnd,
  KEY,
  settled,
  shownOf,
  startLive,
  storedOf,
  until,
} from './live.fixture.js';

describe('what a live provider reports', () => {
  it('is shown as it comes: the words of the user by the user, those of the model by the agent', async () => {
    const { live } = await startLive({}, [hears('How late is it?'), speaks('It is noon.')]);
    const events = await until(live, isTurnEnd);
    await live.close();

    const pieces = events.filter(({ partial }) => partial);
    expect(
      pieces.flatMap(({ author, inputTranscription: heard, outputTranscription: said }) => {
        return heard || said ? [[author, heard ?? said]] : [];
      }),
    ).toEqual([
      ['user', { text: 'How late is it?', finished: true }],
      ['clerk', { text: 'It ' }],
      ['clerk', { text: 'is ' }],
      ['clerk', { text: 'noon.' }],
    ]);
  });

  it('is shown with its thoughts marked, which are no words of the answer', async () => {
    const { live, runner } = await startLive(
      {},
      [untilText(), { kind: 'text', text: 'Hm.', thought: true }, writes('Noon.')],
      { modality: 'text' },
    );
    live.sendText('How late is it?');
    const events = await until(live, isTurnEnd);
    await live.close();

    expect(
      events.flatMap(({ partial, content }) => (partial && content?.parts ? content.parts : [])),
    ).toEqual([{ text: 'Hm.', thought: true }, { text: 'Noon.' }]);
    expect(await storedOf(runner)).toEqual(['user: How late is it?', 'clerk: Noon.']);
  });

  it('is part of the stored answer: its sources and what it has used', async () => {
    const { live } = await startLive({}, [
      untilText(),
      ...speech('As I read.'),
      { kind: 'grounding', grounding: { webSearchQueries: ['noon'] } },
      { kind: 'usage', usage: { totalTokenCount: 12 } },
      endsTurn(),
      untilText(),
      speaks('Noon.'),
    ]);
    live.sendText('How late is it?');
    const first = (await until(live, isTurnEnd)).at(-1);
    live.sendText('Again?');
    const second = (await until(live, isTurnEnd)).at(-1);
    await live.close();

    expect(first).toMatchObject({
      groundingMetadata: { webSearchQueries: ['noon'] },
      usageMetadata: { totalTokenCount: 12 },
    });
    expect([second?.groundingMetadata, second?.usageMetadata]).toEqual([undefined, undefined]);
  });

  it('ends a turn without a word: the end is shown, and nothing is stored', async () => {
    const { live, runner } = await startLive({}, [untilText(), endsTurn()]);
    live.sendText('Shh.');
    const last = (await until(live, isTurnEnd)).at(-1);
    await live.close();

    expect(last).toMatchObject({ author: 'clerk', partial: true, text: '' });
    expect(await storedOf(runner)).toEqual(['user: Shh.']);
  });

  it('is an error in an answer: what was said is stored before it, and is no end of the turn', async () => {
    const { live, runner } = await startLive({}, [
      untilText(),
      ...speech('Half of '),
      { kind: 'error', code: 'QUOTA', message: 'Slow down.', fatal: false },
      ...speaks('the rest.'),
    ]);
    live.sendText('Tell me.');
    const events = (await until(live, isTurnEnd)).filter(({ partial }) => !partial);
    await live.close();

    expect(events.map((event) => [shownOf(event), event.turnComplete])).toEqual([
      ['user: Tell me.', false],
      ['clerk: Half of', false],
      ['clerk ! QUOTA', false],
      ['clerk: the rest.', true],
    ]);
    expect(await storedOf(runner)).toHaveLength(4);
  });
});

describe('an answer of a live model', () => {
  it('passes afterModel before it is stored, with the state that it writes; without a change it stays', async () => {
    const seen: ModelResponse[] = [];
    class Clerk extends LlmAgent {
      override afterModel(response: ModelResponse, context: CallbackContext): ModelResponse | undefined {
        seen.push(response);
        context.state.set('answers', seen.length);
        if (seen.length > 1) return undefined;
        return { content: { role: 'model', parts: [{ text: '(removed)' }] } };
      }
    }
    const { live, runner } = await startClerk(Clerk, [
      untilText(),
      ...speaks('The code is 1234.'),
      untilText(),
      ...speaks('Noon.'),
    ]);
    live.sendText('The code?');
    await until(live, isTurnEnd);
    live.sendText('The time?');
    await until(live, isTurnEnd);
    await live.close();

    expect(seen.map(({ content }) => content?.parts?.[0]?.text)).toEqual(['The code is 1234.', 'Noon.']);
    expect(await storedOf(runner)).toEqual([
      'user: The code?',
      'clerk: (removed)',
      'user: The time?',
      'clerk: Noon.',
    ]);
    const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
    expect(session?.state['answers']).toBe(2);
  });

  it('counts as one call of the model, with its calls, and what is said behind a response as another', async () => {
    const look = new FunctionTool({
      name: 'look',
      description: '',
      parameters: { type: 'object' },
      run: () => 1,
    });
    const model = new ScriptedLive(
      untilText(),
      ...speech('Let me look.'),
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      ...speaks('One.'),
      untilText(),
      ...speaks('Two.'),
    );
    await using runner = await createRunner(defineClerk({ tools: [look] }), {
      model: new ScriptedModel(),
      config: { maxLlmCalls: 2 },
    });
    const live = runner.live({ ...KEY, model });
    live.sendText('Look.');
    await until(live, ({ text }) => text === 'One.');
    live.sendText('Again.');
    await live.ended;

    expect((await storedOf(runner)).at(-1)).toBe('clerk ! LLM_CALL_LIMIT');
  });
});

describe('the callbacks of a live session', () => {
  it('steer the model, which reads it later, and prompt it, which has it answer', async () => {
    class Clerk extends LlmAgent {
      override onLiveStart({ steer, prompt }: LiveDirection): void {
        steer('Be brief.');
        prompt('Greet the caller.');
      }
    }
    const { live, model, runner } = await startClerk(Clerk, [untilText(), ...speaks('Hello.')]);
    await until(live, isTurnEnd);
    await live.close();

    expect(model.connection.contexts).toEqual(['Be brief.']);
    expect(model.connection.texts).toEqual(['Greet the caller.']);
    expect(await storedOf(runner)).toEqual(['clerk: Hello.']);
  });

  it('renew the connection once, at the end of the turn in which they ask for it', async () => {
    let turns = 0;
    class Clerk extends LlmAgent {
      override onLiveTurn({ renew }: LiveDirection): void {
        if (++turns === 1) renew();
      }
    }
    const { live, model } = await startClerk(Clerk, [
      untilText(),
      ...speaks('One.'),
      untilText(),
      ...speaks('Two.'),
    ]);
    live.sendText('Go.');
    await until(live, (event) => event.live?.kind === 'connected');
    await until(live, (event) => event.live?.kind === 'connected');
    live.sendText('On.');
    await until(live, ({ text }) => text === 'Two.');
    await settled();
    await live.close();

    expect([turns, model.connections.length]).toEqual([2, 2]);
  });

  it('may fail: it is logged with their names, and the conversation goes on', async () => {
    class Clerk extends LlmAgent {
      override onLiveStart(): void {
        throw new Error('no start');
      }
      override onLiveTurn(): Promise<void> {
        return Promise.reject(new Error('no turn'));
      }
    }
    const logger = new ErrorLines();
    const { live } = await startClerk(Clerk, [untilText(), ...speaks('Hello.')], logger);
    live.sendText('Hi.');
    await until(live, isTurnEnd);
    await settled();
    await live.close();

    expect((await live.ended).status).toBe('answered');
    expect(logger.lines).toEqual(['the callback onLiveStart failed', 'the callback onLiveTurn failed']);
  });
});

describe('a message that a live model leaves unanswered', () => {
  it('is not sent again to another connection after its silence', async () => {
    const clock = new ManualClock();
    const model = ScriptedLive.able({ staysSilent: true }, hears('I said so to my wife.'));
    const modules = [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))];
    await using runner = await createRunner(defineClerk({}), { model: new ScriptedModel(), modules });
    const live = runner.live({ ...KEY, model });
    await until(live, ({ inputTranscription }) => inputTranscription !== undefined);
    await clock.advance(2_000);
    await settled();
    model.connection.emit(drops());
    await settled();
    await clock.advance(1_000);
    await until(live, (event) => event.live?.kind === 'connected');
    await settled();

    expect(await storedOf(runner)).toEqual(['user: I said so to my wife.']);
    expect(model.connections).toHaveLength(2);
    expect(model.connection.texts).toEqual([]);
    expect(model.connection.setup.history).toHaveLength(1);
    await live.close();
  });
});

function defineClerk(options: object): new () => LlmAgent {
  class Clerk extends LlmAgent {}
  agent({ name: 'clerk', instruction: 'Be kind.', ...options })(Clerk);
  return Clerk;
}

async function startClerk(
  Clerk: new () => LlmAgent,
  script: readonly LiveStep[],
  logger: Logger = new ErrorLines(),
): Promise<{ live: LiveSession; model: ScriptedLive; runner: Runner<unknown> }> {
  agent({ name: 'clerk', instruction: 'Be kind.' })(Clerk);
  const modules = [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(logger))];
  const model = new ScriptedLive(...script);
  const runner = await createRunner(Clerk, { model: new ScriptedModel(), modules });
  return { live: runner.live({ ...KEY, model }), model, runner };
}

class ErrorLines extends Logger {
  readonly lines: string[] = [];
  override debug(): void {
    // Not looked at.
  }
  override info(): void {
    // Not looked at.
  }
  override warn(): void {
    // Not looked at.
  }
  override error(message: string): void {
    this.lines.push(message);
  }
}
