/** The events to come of a simulation, the earliest first: a binary heap of times and what is to happen at them. */
export class EventHeap {
  private readonly times: number[] = [];
  private readonly actions: (() => void)[] = [];

  get size(): number {
    return this.times.length;
  }

  push(time: number, action: () => void): void {
    const { actions, times } = this;
    let place = times.length;
    times.push(time);
    actions.push(action);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if ((times[parent] ?? 0) <= time) break;
      this.move(parent, place);
      place = parent;
    }
    times[place] = time;
    actions[place] = action;
  }

  /** The earliest event; undefined if there is none. */
  pop(): { readonly time: number; readonly action: () => void } | undefined {
    const { actions, times } = this;
    const [time] = times;
    const [action] = actions;
    const lastTime = times.pop();
    const lastAction = actions.pop();
    if (time === undefined || !action || lastTime === undefined || !lastAction) return undefined;
    if (times.length > 0) this.sink(lastTime, lastAction);
    return { time, action };
  }

  private sink(time: number, action: () => void): void {
    const { actions, times } = this;
    let place = 0;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= times.length) break;
      if (child + 1 < times.length && (times[child + 1] ?? 0) < (times[child] ?? 0)) child++;
      if ((times[child] ?? 0) >= time) break;
      this.move(child, place);
      place = child;
    }
    times[place] = time;
    actions[place] = action;
  }

  private move(from: number, to: number): void {
    this.times[to] = this.times[from] ?? 0;
    this.actions[to] = this.actions[from] ?? noop;
  }
}

function noop(): void {
  // No place of the heap is empty.
}
