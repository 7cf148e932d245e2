import { readdirSync, readFileSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** The most that the processes below this one had at a time. Nothing on systems without `/proc`. */
export interface ProcessPeak {
  readonly processes: number;
  /** The sum of their resident memory in KiB: a page that they share counts for each. */
  readonly memory: number;
}

const EVERY_MS = 20;

/** Counts the processes below this one, in a thread, so that the event loop of the host is left alone. */
export class ProcessWatch {
  private readonly peak = new Int32Array(new SharedArrayBuffer(8));
  private readonly worker: Worker;

  constructor() {
    this.worker = new Worker(new URL(import.meta.url), { workerData: this.peak });
    this.worker.unref();
  }

  /** The peak since the last call. */
  take(): ProcessPeak {
    const [processes, memory] = [Atomics.exchange(this.peak, 0, 0), Atomics.exchange(this.peak, 1, 0)];
    return { processes, memory };
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

if (!isMainThread && workerData instanceof Int32Array) {
  const peak = workerData;
  setInterval(() => {
    const { processes, memory } = processesBelow(process.pid);
    Atomics.store(peak, 0, Math.max(Atomics.load(peak, 0), processes));
    Atomics.store(peak, 1, Math.max(Atomics.load(peak, 1), memory));
  }, EVERY_MS);
}

function processesBelow(root: number): ProcessPeak {
  const found = listProcesses();
  let [processes, memory] = [0, 0];
  let parents = new Set([root]);
  while (parents.size > 0) {
    const children = found.filter(({ parent }) => parents.has(parent));
    processes += children.length;
    for (const child of children) memory += child.memory;
    parents = new Set(children.map(({ id }) => id));
  }
  return { processes, memory };
}

/** The processes of the machine, as long as they can be read. */
function listProcesses(): { readonly id: number; readonly parent: number; readonly memory: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        const field = (key: string): number =>
          Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
        return [{ id: Number(name), parent: field('PPid'), memory: field('VmRSS') }];
      } catch {
        return [];
      }
    });
}
