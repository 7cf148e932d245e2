import type { KillFault } from '../eval-set.js';

/** A promise of a process that has died: nothing of it goes on. */
export const NEVER = new Promise<never>(() => undefined);

/** The stored events of a case, which all lives of its runner share, and behind which of them a process dies. */
export class StoredEvents {
  count = 0;
  private readonly deaths: KillFault[];

  /** @param faults in any order */
  constructor(faults: readonly KillFault[]) {
    this.deaths = faults.toSorted((one, other) => placeOf(one) - placeOf(other));
  }

  /** The next death, which the next life has. */
  nextDeath(): KillFault | undefined {
    return this.deaths.shift();
  }
}

/** What stands for a process in this one: from its death on, its store does not answer, and its tools end nowhere. */
export class Life {
  /** Resolves when it has died. */
  readonly died: Promise<void>;
  isOver = false;
  private readonly end: () => void;

  /** @param death absent for a process that does not die */
  constructor(
    private readonly events: StoredEvents,
    readonly death: KillFault | undefined,
  ) {
    let end: () => void = () => undefined;
    this.died = new Promise((resolve) => (end = resolve));
    this.end = end;
  }

  /** A store as the process reaches it. */
  bounds<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
        // A listener is of this process, and not of the store.
        if (name === 'onDelete') return call;
        if (name === 'appendEvent') return (...args: unknown[]) => this.append(1, () => call(...args));
        if (name === 'appendEvents')
          return (...args: unknown[]) => this.append((args[1] as unknown[]).length, () => call(...args));
        return async (...args: unknown[]) => (this.isOver ? NEVER : call(...args));
      },
    });
  }

  /** What a tool or a model of the process gives. */
  async step<Value>(value: Promise<Value>): Promise<Value> {
    const given = await value;
    return this.isOver ? NEVER : given;
  }

  private async append(number: number, store: () => unknown): Promise<unknown> {
    if (this.isOver) return NEVER;
    const place = this.death && placeOf(this.death);
    const isDue = place !== undefined && this.events.count + number >= place;
    if (isDue && this.death?.before !== undefined) return this.die();
    const stored = await store();
    this.events.count += number;
    return isDue ? this.die() : this.step(Promise.resolve(stored));
  }

  private die(): Promise<never> {
    this.isOver = true;
    this.end();
    return NEVER;
  }
}

/** The number of the event at which a process dies, from 1. */
export function placeOf({ before, behind = 0 }: KillFault): number {
  return before ?? behind;
}
