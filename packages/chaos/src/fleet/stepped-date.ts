const SystemDate = Date;
let offset = 0;

/** Sets the clock of this process ahead, or back by a negative number of milliseconds, as an administrator sets a machine's. */
export function stepClock(ms: number): void {
  offset += ms;
  globalThis.Date = SteppedDate as DateConstructor;
}

class SteppedDate extends SystemDate {
  constructor(...stated: [] | [number | string]) {
    super(...((stated.length === 0 ? [SteppedDate.now()] : stated) as [number]));
  }

  static override now(): number {
    return SystemDate.now() + offset;
  }
}
