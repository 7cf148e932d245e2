import { Worker } from 'node:worker_threads';

import fc from 'fast-check';

import { checkLimits } from '../options.js';
import { QuickJsThread } from './quick-js-thread.js';

const INPUT = { code: '1', language: 'javascript' };
const LIMITS = checkLimits('quickJs', { timeout: 400 }, { memory: 1_000_000 });

/** Values that messages have in the right places, so that a random message comes near one. */
const WORDS = ['ready', 'output', 'dropped', 'calls', 'done', 'stdout', 'look_up', '}', '{"a":1}', 'a.txt'];
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(...WORDS, true, 0, 1, -1, null),
  fc.uint8Array(),
  fc.array(
    fc.record(
      { id: fc.jsonValue(), name: fc.constantFrom(...WORDS, 5), json: fc.constantFrom('{}', '}', 7) },
      { requiredKeys: [] },
    ),
  ),
);
const message = fc.record(
  {
    kind: fc.constantFrom(...WORDS),
    stream: value,
    text: value,
    bytes: value,
    calls: value,
    isOk: value,
    isTimeout: value,
    json: value,
    files: value,
  },
  { requiredKeys: ['kind'] },
);

/** A real worker that is not ours: what stands in the place of a world that code has broken. */
function post(messages: readonly unknown[], then = ''): Worker {
  const program = `
    const { parentPort, workerData } = require('node:worker_threads');
    parentPort.postMessage({ kind: 'ready' });
    parentPort.once('message', () => {
      for (const message of workerData) parentPort.postMessage(message);
      ${then};
    });
    parentPort.on('message', () => undefined);`;
  return new Worker(program, { eval: true, workerData: messages });
}

describe('a thread of QuickJS', () => {
  it('ends its execution with a result, whatever its worker posts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(message, fc.jsonValue()), { maxLength: 4 }), async (messages) => {
        const thread = new QuickJsThread(post(messages, 'process.exit()'), LIMITS);
        const functions = { look_up: () => Promise.reject(Object.create(null) as Error) };

        expect(await thread.run({ ...INPUT, functions })).toMatchObject({ stdout: expect.any(String) });
        thread.terminate();
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it.each<[string, unknown]>([
    ['a value that is not JSON', { kind: 'done', isOk: true, isTimeout: false, json: '}', files: [] }],
    ['an end without files', { kind: 'done', isOk: true, isTimeout: false }],
    [
      'a file in another folder',
      { kind: 'done', isOk: true, isTimeout: false, files: [{ name: '../a', data: new Uint8Array() }] },
    ],
    ['calls that are none', { kind: 'calls', calls: [null] }],
    ['an output of a stream that is not there', { kind: 'output', stream: 'constructor', text: '' }],
    ['nothing', null],
  ])('takes %s for the end of the code and of the worker', async (_, posted) => {
    const thread = new QuickJsThread(post([posted]), LIMITS);

    expect(await thread.run(INPUT)).toMatchObject({
      exitCode: 137,
      stderr: expect.stringContaining('The code was ended by the sandbox') as string,
    });
    expect(thread.isUsable).toBe(false);
  });

  it('stops code at the time limit that waits for calls and has made none', async () => {
    const thread = new QuickJsThread(post([{ kind: 'calls', calls: [] }]), LIMITS);

    expect(await thread.run(INPUT)).toMatchObject({ isTimeout: true });
  });

  it.each(['process.exit()', 'throw new Error("broken")'])(
    'ends with a result if its worker ends by %s',
    async (end) => {
      const thread = new QuickJsThread(post([], end), LIMITS);

      expect(await thread.run(INPUT)).toMatchObject({ exitCode: 137 });
    },
  );

  it('is a failure of the sandbox if its worker cannot start', async () => {
    const thread = new QuickJsThread(new Worker('throw new Error("no")', { eval: true }), LIMITS);

    await expect(thread.run(INPUT)).rejects.toMatchObject({ code: 'SANDBOX_FAILED' });
  });
});
