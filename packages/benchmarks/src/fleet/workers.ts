import { Child } from '@adorn/chaos/child-process';

import type { BenchPlace } from './bench-machine.js';

/** What a worker has taken since it began. */
export interface Usage {
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly runs: number;
}

/** Workers as processes. */
export class Workers {
  private constructor(private readonly children: readonly Child[]) {}

  static async start(place: BenchPlace, count: number): Promise<Workers> {
    const options = [JSON.stringify(place)];
    const children = Array.from(
      { length: count },
      () => new Child('worker.child.js', import.meta.url, options, process.execPath),
    );
    await Promise.all(children.map((child) => child.untilLines(1)));
    return new Workers(children);
  }

  /** Lets all of them begin at the same moment. */
  async begin(): Promise<void> {
    for (const child of this.children) child.tell('begin');
    await Promise.all(this.children.map((child) => child.untilLines(2)));
  }

  usages(): Promise<Usage[]> {
    return Promise.all(
      this.children.map(async (child) => {
        const { length } = child.lines;
        child.tell('usage');
        await child.untilLines(length + 1);
        return JSON.parse(child.lines[length] ?? '') as Usage;
      }),
    );
  }

  async stop(): Promise<void> {
    for (const child of this.children) child.terminate();
    await Promise.all(this.children.map((child) => child.ended));
  }
}
