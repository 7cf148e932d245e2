import { setTimeout } from 'node:timers/promises';

import { jest } from '@jest/globals';
import { callsTool, callsTools, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  ConsoleLogger,
  createRunner,
  defineAgent,
  FunctionTool,
  type PendingRequest,
  type Runner,
  Toolset,
} from '../../index.js';

afterEach(() => void jest.restoreAllMocks());

const address = { userId: 'ada', sessionId: 's1' };

describe('an answer to a call whose toolset is down', () => {
  it.each(['throws', 'hangs'] as const)(
    'is refused before it is stored, and can be given later: %s',
    async (fault) => {
      const { runner, remote } = await pause();
      const [request] = await runner.pending(address);
      const { length } = await storedEvents(runner);
      remote.fault = fault;

      await expect(eventsOf(runner.approve(request as PendingRequest))).rejects.toMatchObject({
        code: 'TOOLSET_FAILED',
        message: expect.stringContaining('the request stays pending') as unknown,
      });
      expect(await runner.pending(address)).toEqual([request]);
      expect(await storedEvents(runner)).toHaveLength(length);

      remote.fault = undefined;
      await eventsOf(runner.approve(request as PendingRequest));
      expect([remote.ran, await runner.pending(address)]).toEqual([1, []]);
    },
  );

  it('may be a refusal: nothing runs', async () => {
    const { runner, remote } = await pause();
    const [request] = await runner.pending(address);
    remote.fault = 'throws';

    await eventsOf(runner.reject(request as PendingRequest));

    expect([remote.ran, await runner.pending(address)]).toEqual([0, []]);
  });
});

describe('a message with a refusal and an approval', () => {
  it('needs the tool of the approval only', async () => {
    const remote = new Remote();
    let noted = 0;
    const note = new FunctionTool({ name: 'note', description: '', confirm: true, run: () => ++noted });
    const model = new ScriptedModel(callsTools({ name: 'pay' }, { name: 'note' }), says('Noted.'));
    const runner = await createRunner(defineAgent({ name: 'clerk', tools: [remote, note], model }));
    await eventsOf(runner.run({ ...address, message: 'Pay, and note it.' }));
    const parts = (await runner.pending(address)).map(({ id, tool }) => ({
      functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed: tool === 'note' } },
    }));
    remote.fault = 'throws';
    jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();

    const { text } = await runner.run({ ...address, message: { role: 'user', parts } });

    expect([text, noted, remote.ran]).toEqual(['Noted.', 1, 0]);
  });
});

class Remote extends Toolset {
  override readonly listing = { timeout: 20 };
  fault: 'throws' | 'hangs' | undefined;
  ran = 0;

  override async listTools() {
    if (this.fault === 'throws') throw new Error('The server is down.');
    if (this.fault === 'hangs') await setTimeout(1_000, undefined, { ref: false });
    return [new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => ++this.ran })];
  }
}

async function pause() {
  const remote = new Remote();
  const model = new ScriptedModel(callsTool('pay'), says('Done.'));
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: [remote], model }));
  await eventsOf(runner.run({ ...address, message: 'Pay.' }));
  return { runner, remote };
}

async function storedEvents(runner: Runner) {
  return (await runner.sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}
