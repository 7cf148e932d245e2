import { ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, Plugin } from '../../index.js';
import type { AgentCallbacks } from './agent-callbacks.js';
import { chainCallbacks } from './callback-chain.js';

describe('chainCallbacks', () => {
  it('has no hook that nobody overrides', () => {
    expect(chainCallbacks([{}, {}])).toEqual({});
    expect(Object.keys(chainCallbacks([{}, { afterTool: () => undefined }]))).toEqual(['afterTool']);
  });

  it('asks one after another, each as a method of its own, until one answers', async () => {
    const asked: string[] = [];
    const chain = chainCallbacks([
      member('first', undefined),
      member('second', 'an answer'),
      member('third', 'too late'),
    ]);

    function member(name: string, answer: unknown): AgentCallbacks & { name: string } {
      return {
        name,
        beforeTool() {
          asked.push(this.name);
          return answer;
        },
      };
    }

    expect(await Reflect.apply(chain.beforeTool as () => unknown, undefined, [])).toBe('an answer');
    expect(asked).toEqual(['first', 'second']);
  });

  it.each([false, 0, ''])('takes %j for an answer', async (answer) => {
    const later = jest.fn();
    const chain = chainCallbacks([{ beforeTool: () => Promise.resolve(answer) }, { beforeTool: later }]);

    expect(await Reflect.apply(chain.beforeTool as () => unknown, undefined, [])).toBe(answer);
    expect(later).not.toHaveBeenCalled();
  });

  it.each([
    'beforeAgent',
    'afterAgent',
    'beforeModel',
    'afterModel',
    'onModelPiece',
    'onModelError',
    'beforeTool',
    'afterTool',
    'onToolError',
  ] as const)('takes null from %s for nothing, and asks the next', async (hook) => {
    const answer = { content: { parts: [] } };
    const chain = chainCallbacks([
      { [hook]: () => null },
      { [hook]: () => Promise.resolve(null) },
      { [hook]: () => answer },
    ]);

    expect(await Reflect.apply(chain[hook] as () => unknown, undefined, [])).toBe(answer);
    const silent = chainCallbacks([{ [hook]: () => null }]);
    expect(await Reflect.apply(silent[hook] as () => unknown, undefined, [])).toBeUndefined();
  });

  it.each([
    ['beforeAgent', 'Hello.', 'it returned a string. Return a Content, or nothing.'],
    ['afterModel', true, 'it returned a boolean. Return a ModelResponse, or nothing.'],
    ['beforeModel', [], 'it returned an array. Return a ModelResponse, or nothing.'],
    ['onModelPiece', true, 'it returned a boolean. Return a ModelResponse or false, or nothing.'],
  ] as const)('refuses an answer of %s that is %j', async (hook, answer, fault) => {
    const chain = chainCallbacks([{ [hook]: () => answer }]);

    await expect(Reflect.apply(chain[hook] as () => Promise<unknown>, undefined, [])).rejects.toMatchObject({
      code: 'CALLBACK_FAILED',
      message: `The callback ${hook} failed: ${fault}`,
    });
  });

  it('gives undefined where all of them are silent', async () => {
    const chain = chainCallbacks([
      { beforeTool: () => undefined },
      { beforeTool: () => Promise.resolve(undefined) },
    ]);

    expect(await Reflect.apply(chain.beforeTool as () => unknown, undefined, [])).toBeUndefined();
  });

  it('ends at the first that throws', async () => {
    const later = jest.fn();
    const broken: AgentCallbacks = {
      beforeTool() {
        throw new Error('broken');
      },
    };

    await expect(
      Reflect.apply(
        chainCallbacks([broken, { beforeTool: later }]).beforeTool as () => Promise<unknown>,
        undefined,
        [],
      ),
    ).rejects.toThrow('broken');
    expect(later).not.toHaveBeenCalled();
  });
});

describe('a method of a plugin that is almost a callback', () => {
  it.each(['beforeTools', 'checkTools', 'onevent', 'beforAgent', 'onRegisterd'])(
    'is refused with the name that was meant: %s',
    async (method) => {
      class Guard extends Plugin {
        readonly name = 'guard';
      }
      Object.defineProperty(Guard.prototype, method, { value: () => undefined });
      const root = defineAgent({ name: 'clerk', model: new ScriptedModel() });

      await expect(createRunner(root, { plugins: [new Guard()] })).rejects.toMatchObject({
        code: 'PLUGIN_INVALID',
        message: expect.stringContaining(`a method ${method},`) as string,
      });
    },
  );

  it('may have any other name', async () => {
    class Guard extends Plugin {
      readonly name = 'guard';

      onClose(): void {
        // A method of its own.
      }

      checkBudget(): boolean {
        return true;
      }

      override beforeTool(): void {
        // A callback.
      }
    }
    const root = defineAgent({ name: 'clerk', model: new ScriptedModel() });

    await expect(createRunner(root, { plugins: [new Guard()] })).resolves.toBeDefined();
  });
});
