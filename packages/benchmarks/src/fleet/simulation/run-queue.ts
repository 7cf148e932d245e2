import { Fifo } from './fifo.js';
import type { Station } from './station.js';

export interface Worker {
  isLost: boolean;
  readonly core: Station;
}

/** Runs that wait, as the moments of their submission, and the places of workers that take them. */
export class RunQueue {
  private readonly runs = new Fifo<number>();
  private readonly places: Worker[];
  private given = 0;

  /** @param share the part of all runs that these workers are given */
  constructor(
    private readonly share: number,
    workers: readonly Worker[],
    { concurrency, random }: { readonly concurrency: number; readonly random: () => number },
  ) {
    this.places = workers.flatMap((worker) => Array<Worker>(concurrency).fill(worker));
    shuffle(this.places, random);
  }

  get waiting(): number {
    return this.runs.length;
  }

  /** How far it is behind its share, of so many runs. */
  lack(runs: number): number {
    return this.share * runs - this.given;
  }

  push(submittedAt: number): void {
    this.given++;
    this.runs.push(submittedAt);
  }

  free(worker: Worker): void {
    this.places.push(worker);
  }

  /** A place with the run that it takes, if there are both. */
  take(): { readonly worker: Worker; readonly submittedAt: number } | undefined {
    while (this.places.at(-1)?.isLost) this.places.pop();
    const worker = this.places.at(-1);
    if (!worker) return undefined;
    const submittedAt = this.runs.shift();
    if (submittedAt === undefined) return undefined;
    this.places.pop();
    return { worker, submittedAt };
  }
}

function shuffle(list: unknown[], random: () => number): void {
  for (let place = list.length - 1; place > 0; place--) {
    const other = Math.floor(random() * (place + 1));
    [list[place], list[other]] = [list[other], list[place]];
  }
}
