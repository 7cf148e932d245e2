import {
  createRunner,
  type CreateRunnerOptions,
  defineAgent,
  defineTool,
  type ToolContext,
} from '@adorn/core';

import { ScriptedModel } from './scripted/scripted.model.js';

/** The call of which a test has the context. */
export interface ToolContextOptions extends Pick<CreateRunnerOptions, 'appName' | 'modules' | 'container'> {
  /** Default: `user`. */
  readonly userId?: string;
  /** Default: `test`. */
  readonly sessionId?: string;
  /** Default: a new one. */
  readonly functionCallId?: string;
  /** The state that the method finds, with the keys as `context.state` has them. Default: empty. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/**
 * The context of a call, for a test that calls a tool's method itself. It is that of a real call, with a session, backends
 * and services: what the method writes to state, saves and searches is there afterwards. The gates are not passed: set
 * `context.confirmation` or `context.credential` where the method reads it. A method that asks a person itself throws, as in
 * a run; test what comes after the answer with a runner. The call ends when the context is disposed of.
 *
 * ```ts
 * await using context = await toolContext({ state: { 'user:tier': 'gold' } });
 * expect(await new Orders().cancel('7', context)).toBe('cancelled');
 * expect(context.state.get('last_order')).toBe('7');
 * ```
 *
 * @throws {AdornError} as `createRunner` and `runner.call`
 */
export async function toolContext(options: ToolContextOptions = {}): Promise<ToolContext & AsyncDisposable> {
  const { functionCallId, state = {}, userId = 'user', sessionId = 'test', ...wiring } = options;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let open = (_context: ToolContext): void => undefined;
  const opened = new Promise<ToolContext>((resolve) => (open = resolve));
  const tested = defineTool({
    name: 'tested',
    description: 'Waits until the test is done with its context.',
    parameters: { type: 'object', properties: {} },
    run: (_args, context) => {
      open(context);
      return ended;
    },
  });
  const Test = defineAgent({ name: 'test', description: 'Has the tool.', instruction: '-', tools: [tested] });
  // A test may stand in a debugger as long as it likes.
  const config = { toolTimeout: Infinity };
  const runner = await createRunner(Test, { ...wiring, config, model: new ScriptedModel() });
  const call = Promise.resolve(runner.call({ tool: 'tested', callId: functionCallId, userId, sessionId }));
  const dispose = async (): Promise<void> => {
    end();
    await call.catch(() => undefined);
    await runner.close();
  };
  try {
    const context = await Promise.race([opened, failureOf(call)]);
    for (const [key, value] of Object.entries(state)) context.state.set(key, value);
    return Object.assign(context, { [Symbol.asyncDispose]: dispose });
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Stays pending if the call does not fail: its tool begins. */
function failureOf(call: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    call.catch(reject);
  });
}
