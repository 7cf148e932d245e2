import { EventEmitter, once } from 'node:events';

import { createRunner, defineAgent, FunctionTool } from '@adorn/core';
import { callsTool, ScriptedModel } from '@adorn/testing';

import { closeOnSignal, type SignalledProcess } from './close-on-signal.js';

class Host extends EventEmitter implements SignalledProcess {
  readonly pid = 7;

  kill(pid: number, signal: NodeJS.Signals): void {
    this.emit('killed', pid, signal);
  }
}

const ADDRESS = { userId: 'ada', sessionId: 's1' };

describe('closeOnSignal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'stores the last events of a run before the process ends by %s',
    async (signal) => {
      const host = new Host();
      const started = once(host, 'started');
      const waits = new FunctionTool({
        name: 'wait',
        description: 'Waits.',
        parameters: { type: 'object' },
        run: (_args, context) =>
          new Promise((resolve) => {
            context.signal.addEventListener('abort', () => {
              resolve('stopped');
            });
            host.emit('started');
          }),
      });
      const model = new ScriptedModel(callsTool('wait', {}));
      const runner = await createRunner(defineAgent({ name: 'root', tools: [waits] }), { model });
      using _ = closeOnSignal(runner, host);
      const answer = runner.ask('Wait.', ADDRESS).catch(() => undefined);
      await started;

      const killed = once(host, 'killed');
      host.emit(signal, signal);

      expect(await killed).toEqual([7, signal]);
      const session = await runner.sessions.getSession({ appName: runner.appName, ...ADDRESS });
      expect(session?.events.at(-1)).toMatchObject({ errorCode: 'CANCELLED' });
      await answer;
    },
  );

  it('leaves a second signal to the process, and all of them once it is disposed of', async () => {
    const host = new Host();
    const runner = { close: () => Promise.reject(new Error('stuck')) };

    const first = closeOnSignal(runner, host);
    const killed = once(host, 'killed');
    host.emit('SIGINT', 'SIGINT');
    expect(listening(host)).toBe(0);
    expect(await killed).toEqual([7, 'SIGINT']);

    const other = closeOnSignal(runner, host);
    other[Symbol.dispose]();
    first[Symbol.dispose]();
    expect(listening(host)).toBe(0);
  });
});

function listening(host: Host): number {
  return ['SIGINT', 'SIGTERM', 'SIGHUP'].reduce((count, name) => count + host.listenerCount(name), 0);
}
