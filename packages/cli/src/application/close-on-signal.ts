import type { Runner } from 'adorn';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The process, as far as signals are concerned. */
export interface SignalledProcess {
  readonly pid: number;
  once(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  kill(pid: number, signal: NodeJS.Signals): unknown;
}

type Closeable = Pick<Runner<unknown>, 'close'>;

/** The runners that are closed before the process ends early. */
const open = new Set<Closeable>();

/**
 * Until it is disposed of: a signal that ends the process first closes the runner, so that the last events of its runs
 * are stored. Then the process ends by that signal; a second one ends it at once.
 */
export function closeOnSignal(runner: Closeable, host: SignalledProcess = process): Disposable {
  const stopListening = (): void => {
    open.delete(runner);
    for (const name of SIGNALS) host.off(name, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    stopListening();
    const die = (): void => {
      host.kill(host.pid, signal);
    };
    runner.close().then(die, die);
  };
  open.add(runner);
  for (const name of SIGNALS) host.once(name, end);
  return { [Symbol.dispose]: stopListening };
}

/** Closes the runners that a signal would close. */
export async function closeRunners(): Promise<void> {
  await Promise.allSettled([...open].map((runner) => runner.close()));
}
