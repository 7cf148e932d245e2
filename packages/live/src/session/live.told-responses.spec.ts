import {
  callsLive,
  type LiveStep,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import {
  agent,
  type CallbackContext,
  type FunctionCall,
  LlmAgent,
  type ModelRequest,
  type PendingRequest,
  type Runner,
  type Tool,
} from '@adorn/core';
import { createRunner, isTurnEnd, KEY, look, storedOf, until } from './live.fixture.js';

const SECRET = 'card 4711';
const MASKED = { result: 'card ****' };

type Response = Readonly<Record<string, unknown>>;
type ClerkClass = new () => LlmAgent;

/** Masks every response that holds the secret. */
class Discreet extends LlmAgent {
  override beforeToolResponse(response: Response): Record<string, unknown> | undefined {
    return JSON.stringify(response).includes('4711') ? MASKED : undefined;
  }
}

describe('what beforeToolResponse makes of a response', () => {
  it('is what the model reads, in this session and in the next, and in a run by text', async () => {
    const { runner, texts } = await runnerOf(Discreet, [look(() => SECRET)], says('Yes.'));
    const first = liveModel(callsLive('look', {}, 'c1'), untilResponse('c1'), speaks('I have it.'));
    await talk(runner, first);
    const second = liveModel(speaks('Still.'));
    await talk(runner, second);
    await runner.run({ ...KEY, message: 'And now?' });

    expect(first.connection.responses.map(({ response }) => response)).toEqual([MASKED]);
    for (const told of [second.connection.setup.history, texts.requests[0]?.contents]) {
      expect(JSON.stringify(told)).toContain('****');
      expect(JSON.stringify(told)).not.toContain('4711');
    }
    // The log keeps what the tool returned.
    expect((await storedOf(runner)).filter((line) => line.includes('4711'))).toEqual([
      `clerk ← c1 ${JSON.stringify({ result: SECRET })}`,
    ]);
    await runner.close();
  });

  it('is what the model reads of a result that comes from outside', async () => {
    const tool = look(() => ({ ticket: 7 }), { longRunning: true });
    const { runner, texts } = await runnerOf(Discreet, [tool], says('Yes.'));
    const model = liveModel(
      callsLive('look', {}, 'c1'),
      untilResponse('c1'),
      speaks('I have asked.'),
      untilResponse('c1'),
      speaks('I have it.'),
    );
    const live = runner.live({ ...KEY, model });
    live.sendText('Look.');
    await until(live, isTurnEnd);
    await live.supply((await runner.pending(KEY))[0] as PendingRequest, { result: SECRET });
    await until(live, isTurnEnd);
    await live.close();
    await runner.run({ ...KEY, message: 'And now?' });

    expect(model.connection.responses.at(-1)?.response).toEqual(MASKED);
    expect(JSON.stringify(texts.requests[0]?.contents)).toContain('****');
    expect(JSON.stringify(texts.requests[0]?.contents)).not.toContain('4711');
    await runner.close();
  });
});

describe('what a callback of a live session writes', () => {
  const WRITERS: Readonly<Record<string, (write: (context: CallbackContext) => void) => ClerkClass>> = {
    onToolCall: (write) =>
      class extends LlmAgent {
        override onToolCall(_: readonly FunctionCall[], context: CallbackContext): undefined {
          write(context);
        }
      },
    beforeToolResponse: (write) =>
      class extends LlmAgent {
        override beforeToolResponse(_: Response, __: FunctionCall, context: CallbackContext): undefined {
          write(context);
        }
      },
    beforeModel: (write) =>
      class extends LlmAgent {
        override beforeModel(_: ModelRequest, context: CallbackContext): undefined {
          write(context);
        }
      },
    afterModel: (write) =>
      class extends LlmAgent {
        override afterModel(_: object, context: CallbackContext): undefined {
          write(context);
        }
      },
    onLiveStart: (write) =>
      class extends LlmAgent {
        override onLiveStart(_: object, context: CallbackContext): void {
          write(context);
        }
      },
    onLiveTurn: (write) =>
      class extends LlmAgent {
        override onLiveTurn(_: object, context: CallbackContext): void {
          write(context);
        }
      },
  };

  it.each(Object.entries(WRITERS))('in %s is stored', async (name, writerOf) => {
    const Writer = writerOf((context) => {
      context.state.set('seen', name);
    });
    const { runner } = await runnerOf(Writer, [look()]);
    await talk(runner, liveModel(callsLive('look', {}, 'c1'), untilResponse('c1'), speaks('One.')));

    const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
    expect(session?.state['seen']).toBe(name);
    await runner.close();
  });
});

describe('a callback of the calls of a live session that throws', () => {
  const THROWERS: Readonly<Record<string, ClerkClass>> = {
    onToolCall: class extends LlmAgent {
      override onToolCall(): never {
        throw new Error('no phone book');
      }
    },
    beforeToolResponse: class extends LlmAgent {
      override beforeToolResponse(): never {
        throw new Error('no phone book');
      }
    },
  };

  it.each(Object.entries(THROWERS))('%s fails the call, and the session goes on', async (name, Thrower) => {
    const { runner } = await runnerOf(Thrower, [look(() => SECRET)]);
    const model = liveModel(callsLive('look', {}, 'c1'), untilResponse('c1'), speaks('It failed.'));
    const events = await talk(runner, model);

    expect(model.connection.responses.map(({ response }) => response)).toEqual([
      { error: `The callback ${name} failed: no phone book` },
    ]);
    expect(events.at(-1)?.text).toBe('It failed.');
    await runner.close();
  });
});

async function runnerOf(Clerk: ClerkClass, tools: readonly Tool[], ...texts: ReturnType<typeof says>[]) {
  const Own = class extends Clerk {};
  agent({ name: 'clerk', tools: [...tools] })(Own);
  const model = new ScriptedModel(...texts);
  const runner: Runner<unknown> = await createRunner(Own, { model });
  return { runner, texts: model };
}

function liveModel(...steps: readonly LiveStep[]) {
  return new ScriptedLive(untilText(), ...steps);
}

async function talk(runner: Runner<unknown>, model: ScriptedLive) {
  const live = runner.live({ ...KEY, model });
  live.sendText('Look.');
  const events = await until(live, isTurnEnd);
  await live.close();
  return events;
}
