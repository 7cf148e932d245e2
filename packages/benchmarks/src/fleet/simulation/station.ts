import { Fifo } from './fifo.js';

/** What has happened, and what is to happen, in the time of a simulation, in milliseconds. */
export interface Timeline {
  now(): number;
  after(ms: number, action: () => void): void;
}

/** Servers of one kind in front of which work waits in its order: a worker, the cores of a machine, the connections of a store. */
export class Station {
  private busy = 0;
  private readonly waiting = new Fifo<readonly [number, () => void]>();

  constructor(
    private readonly timeline: Timeline,
    private readonly servers: number,
    /** What a server needs one of while it serves: the cores of its machine. Default: nothing. */
    private readonly host?: Station,
  ) {}

  serve(ms: number, done: () => void): void {
    if (this.busy < this.servers) this.begin(ms, done);
    else this.waiting.push([ms, done]);
  }

  private begin(ms: number, done: () => void): void {
    this.busy++;
    const end = (): void => {
      this.busy--;
      const next = this.waiting.shift();
      if (next) this.begin(...next);
      done();
    };
    if (this.host) this.host.serve(ms, end);
    else this.timeline.after(ms, end);
  }
}
