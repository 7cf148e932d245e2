import type { Runner } from '@adorn/core';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The process, as far as signals are concerned. */
export interface SignalledProcess {
  readonly pid: number;
  once(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  kill(pid: number, signal: NodeJS.Signals): unknown;
}

/**
 * Until it is disposed of: a signal that ends the process first closes the runner, so that the last events of its runs
 * are stored. Then the process ends by that signal; a second one ends it at once.
 */
export function closeOnSignal(
  runner: Pick<Runner<unknown>, 'close'>,
  host: SignalledProcess = process,
): Disposable {
  const stopListening = (): void => {
    for (const name of SIGNALS) host.off(name, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    stopListening();
    const die = (): void => {
      host.kill(host.pid, signal);
    };
    runner.close().then(die, die);
  };
  for (const name of SIGNALS) host.once(name, end);
  return { [Symbol.dispose]: stopListening };
}
