import { eventsOf, says, ScriptedModel, type ScriptedStep, streams } from '@adorn/testing';

import type { AgentCallbacks } from '../../backend.js';
import { agent, createRunner, LlmAgent, Plugin, type RunConfig } from '../../index.js';

beforeEach(() => jest.spyOn(console, 'error').mockReturnValue());
afterEach(() => jest.restoreAllMocks());

describe('beforeModel', () => {
  it('stands for the model: what it returns is the answer, and nobody is asked', async () => {
    const afterModel = jest.fn();
    const { events, model } = await run([], { beforeModel: () => says('From the cache.'), afterModel });

    expect(events.map(({ author, text, turnComplete }) => [author, text, turnComplete])).toEqual([
      ['clerk', 'From the cache.', true],
    ]);
    expect(model.requests).toEqual([]);
    expect(afterModel).not.toHaveBeenCalled();
  });

  it('may change the request, for this one time', async () => {
    const { model, runner } = await run([says('One.'), says('Two.')], {
      beforeModel(request) {
        request.config = { ...request.config, temperature: request.contents.length };
        request.contents = [{ role: 'user', parts: [{ text: 'In Latin, please.' }] }];
      },
    });
    await eventsOf(runner.run({ ...address, message: 'Again.' }));

    expect(model.requests.map(({ config, contents }) => [config.temperature, contents])).toEqual([
      [1, [{ role: 'user', parts: [{ text: 'In Latin, please.' }] }]],
      [3, [{ role: 'user', parts: [{ text: 'In Latin, please.' }] }]],
    ]);
  });

  it('writes to the state with the event of the answer', async () => {
    const { events } = await run([says('Hello.')], {
      beforeModel(_request, { state }) {
        state.set('asked', 1);
      },
      afterModel(_response, { state }) {
        state.set('answered', state.get('asked', 0) + 1);
      },
    });

    expect(events.map(({ text, actions }) => [text, actions.stateDelta])).toEqual([
      ['Hello.', { asked: 1, answered: 2 }],
    ]);
  });

  it('that throws ends the run with an event, not with an exception', async () => {
    const { events } = await run([], {
      beforeModel() {
        throw new Error('the quota is spent');
      },
    });

    expect(events.map(({ errorCode, errorMessage }) => [errorCode, errorMessage])).toEqual([
      ['CALLBACK_FAILED', 'The callback beforeModel failed: the quota is spent'],
    ]);
  });
});

describe('afterModel', () => {
  it('replaces the answer in the log, too', async () => {
    const { events, runner } = await run([says('The code is 1234.')], {
      afterModel: ({ content }) =>
        content?.parts?.[0]?.text?.includes('1234') === true ? says('The code is ****.') : undefined,
    });
    const stored = await runner.sessions.getSession({ appName: 'clerk', ...address });

    expect(events.map(({ text }) => text)).toEqual(['The code is ****.']);
    expect(JSON.stringify(stored?.events)).not.toContain('1234');
  });

  it('is not shown the pieces of a streamed answer', async () => {
    const afterModel = jest.fn();
    const { events } = await run([streams('Hel', 'lo.')], { afterModel }, { streaming: 'sse' });

    expect(events.map(({ text }) => text)).toEqual(['Hel', 'lo.', 'Hello.']);
    expect(afterModel).toHaveBeenCalledTimes(1);
  });
});

describe('onModelPiece', () => {
  const sse: RunConfig = { streaming: 'sse' };

  it('replaces pieces or drops them before they are yielded', async () => {
    const { events, runner } = await run(
      [streams('partial card ', '4111-1111', ' on file')],
      {
        onModelPiece({ content }) {
          if (content?.parts?.[0]?.text === ' on file') return false;
          return content?.parts?.[0]?.text?.includes('4111') === true ? says('****') : undefined;
        },
        afterModel: () => says('partial card ****'),
      },
      sse,
    );
    const stored = await runner.sessions.getSession({ appName: 'clerk', ...address });

    expect(events.map(({ text, partial }) => [text, partial])).toEqual([
      ['partial card ', true],
      ['****', true],
      ['partial card ****', false],
    ]);
    expect(JSON.stringify([events, stored?.events])).not.toContain('4111');
  });

  it('is not asked where the answer is not streamed, and never for a whole answer', async () => {
    const onModelPiece = jest.fn();
    await run([streams('Hel', 'lo.')], { onModelPiece });
    expect(onModelPiece).not.toHaveBeenCalled();

    await run([streams('Hel', 'lo.')], { onModelPiece }, sse);
    expect(onModelPiece.mock.calls.map(([piece]: [{ partial?: boolean }]) => piece.partial)).toEqual([
      true,
      true,
    ]);
  });

  it('writes to the state with the event of the whole answer', async () => {
    const { events } = await run(
      [streams('Hel', 'lo.')],
      {
        onModelPiece(_piece, { state }) {
          state.set('pieces', state.get('pieces', 0) + 1);
        },
      },
      sse,
    );

    expect(events.map(({ actions }) => actions.stateDelta)).toEqual([{}, {}, { pieces: 2 }]);
  });

  it('decides also what is kept of a stream that breaks off, and afterModel after it', async () => {
    const pieces = ['card ', '4111'].map((text) => ({ ...says(text), partial: true }));
    const afterModel = jest.fn();
    const { events } = await run(
      [pieces],
      { onModelPiece: ({ content }) => content?.parts?.[0]?.text !== '4111' && undefined, afterModel },
      sse,
    );

    expect(events.map(({ text, errorCode }) => [text, errorCode])).toEqual([
      ['card ', undefined],
      ['card ', 'STREAM_INTERRUPTED'],
    ]);
    expect(afterModel).toHaveBeenCalledTimes(1);
  });

  it('that throws shows nothing of its piece, and ends the run with an event', async () => {
    const { events } = await run(
      [streams('4111', ' on file')],
      {
        onModelPiece() {
          throw new Error('the filter is down');
        },
      },
      sse,
    );

    expect(events.map(({ text, errorCode }) => [text, errorCode])).toEqual([['', 'CALLBACK_FAILED']]);
  });
});

describe('onModelError', () => {
  it('answers as the model would: afterModel sees its answer', async () => {
    const { events } = await run([fails], {
      onModelError: () => says('Card 4111.'),
      afterModel: ({ content }) => says(content?.parts?.[0]?.text?.replace('4111', '****') ?? ''),
    });

    expect(events.map(({ text }) => text)).toEqual(['Card ****.']);
  });

  it.each(['beforeModel', 'afterModel', 'onModelPiece'] as const)(
    'is not asked about what %s throws: that is not the error of the model',
    async (hook) => {
      const onModelError = jest.fn();
      const { events } = await run(
        [streams('Hello.')],
        {
          [hook]() {
            throw new Error('a slip');
          },
          onModelError,
        },
        { streaming: 'sse' },
      );

      expect(onModelError).not.toHaveBeenCalled();
      expect(events.at(-1)).toMatchObject({
        errorCode: 'CALLBACK_FAILED',
        errorMessage: `The callback ${hook} failed: a slip`,
        turnComplete: true,
      });
    },
  );

  it('stands for the answer that did not come', async () => {
    const seen: unknown[] = [];
    const { events } = await run([fails], {
      onModelError(error) {
        seen.push(error);
        return says('Please try again.');
      },
    });

    expect(events.map(({ text, errorCode }) => [text, errorCode])).toEqual([
      ['Please try again.', undefined],
    ]);
    expect(seen).toEqual([new Error('no network')]);
  });

  it('that says nothing lets the error be, as an event', async () => {
    const { events } = await run([fails], { onModelError: () => undefined });

    expect(events.map(({ errorCode, errorMessage }) => [errorCode, errorMessage])).toEqual([
      ['MODEL_FAILED', 'no network'],
    ]);
  });
});

describe('model callbacks', () => {
  it.each(['beforeModel', 'afterModel'] as const)('cannot steer the run: %s has no actions', async (hook) => {
    const { events } = await run([says('Hello.')], {
      [hook](_answer: unknown, context: { actions: { transferToAgent: string } }) {
        context.actions.transferToAgent = 'billing';
      },
    });

    expect(events.map(({ errorCode, actions }) => [errorCode, actions.transferToAgent])).toEqual([
      ['ACTIONS_UNAVAILABLE', undefined],
    ]);
  });

  it('that answer for the model spend nothing of its limit of calls', async () => {
    let asked = 0;
    const { events, model } = await run(
      [says('From the model.')],
      {
        beforeModel: () => {
          asked++;
          return asked < 4
            ? { content: { role: 'model', parts: [{ codeExecutionResult: { output: '1' } }] } }
            : undefined;
        },
      },
      { maxLlmCalls: 1 },
    );

    expect(events.at(-1)).toMatchObject({ text: 'From the model.', errorCode: undefined });
    expect([asked, model.requests.length]).toEqual([4, 1]);
  });

  it('are not asked about a call that the limit forbids', async () => {
    const onModelError = jest.fn();
    const afterModel = jest.fn();
    const { events } = await run([], { onModelError, afterModel }, { maxLlmCalls: 0 });

    expect(events.map(({ errorCode, turnComplete }) => [errorCode, turnComplete])).toEqual([
      ['LLM_CALL_LIMIT', true],
    ]);
    expect(onModelError).not.toHaveBeenCalled();
    expect(afterModel).not.toHaveBeenCalled();
  });

  it('come from plugins first, and the first answer ends the chain', async () => {
    const asked: string[] = [];
    class Cache extends Plugin {
      readonly name = 'cache';

      override beforeModel() {
        asked.push('cache');
        return says('From the cache.');
      }
    }
    const { events } = await run(
      [],
      {
        beforeModel() {
          asked.push('clerk');
        },
      },
      {},
      [new Cache()],
    );

    expect(asked).toEqual(['cache']);
    expect(events.map(({ text }) => text)).toEqual(['From the cache.']);
  });
});

const address = { userId: 'ada', sessionId: 's1' };

function fails(): never {
  throw new Error('no network');
}

async function run(
  steps: readonly ScriptedStep[],
  callbacks: AgentCallbacks,
  config: RunConfig = {},
  plugins: readonly Plugin[] = [],
) {
  @agent({ name: 'clerk', description: '' })
  class Clerk extends LlmAgent {}
  Object.assign(Clerk.prototype, callbacks);
  const model = new ScriptedModel(...steps);
  const runner = await createRunner(Clerk, { model, plugins, config });
  return { model, runner, events: await eventsOf(runner.run({ ...address, message: 'Hello?' })) };
}
