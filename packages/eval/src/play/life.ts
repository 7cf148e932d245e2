import type { KillFault } from '../eval-set.js';

/** A promise of a process that has died: nothing of it goes on. */
export const NEVER = new Promise<never>(() => undefined);

/** The number of stored events of a case, which all lives of its runner share, and the deaths that are to come. */
export class StoredEvents {
  count = 0;
  private readonly deaths: KillFault[];

  /** @param faults in any order */
  constructor(faults: readonly KillFault[]) {
    this.deaths = faults.toSorted((one, other) => placeOf(one) - placeOf(other));
  }

  /** The death of a process that is about to store as many events; it does not come again. */
  takeDeathWithin(number: number): KillFault | undefined {
    return this.take((death) => death.during === undefined && this.count + number >= placeOf(death));
  }

  /** The death of a process whose tool has run; it does not come again. */
  takeDeathDuring(tool: string): KillFault | undefined {
    return this.take(({ during }) => during === tool);
  }

  private take(isDue: (death: KillFault) => boolean): KillFault | undefined {
    const index = this.deaths.findIndex(isDue);
    return index === -1 ? undefined : this.deaths.splice(index, 1)[0];
  }
}

/** What stands for a process in this one: from its death on, its store does not answer, and its tools end nowhere. */
export class Life {
  /** Resolves when it has died. */
  readonly died: Promise<void>;
  isOver = false;
  /** How it died. */
  death: KillFault | undefined;
  /** How it dies before it stores another event. */
  private due: KillFault | undefined;
  private readonly end: () => void;

  constructor(private readonly events: StoredEvents) {
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

  /** What a tool of the process gives. If the process dies during its call, it stores nothing any more. */
  async toolStep<Value>(tool: string, value: Promise<Value>): Promise<Value> {
    try {
      return await this.step(value);
    } finally {
      if (!this.isOver) this.due ??= this.events.takeDeathDuring(tool);
    }
  }

  private async append(number: number, store: () => unknown): Promise<unknown> {
    if (this.isOver) return NEVER;
    const death = this.due ?? this.events.takeDeathWithin(number);
    if (death && death.behind === undefined) return this.die(death);
    const stored = await store();
    this.events.count += number;
    return death ? this.die(death) : this.step(Promise.resolve(stored));
  }

  private die(death: KillFault): Promise<never> {
    this.isOver = true;
    this.death = death;
    this.end();
    return NEVER;
  }
}

/** The number of the event at which a process dies, from 1. */
function placeOf({ before, behind = 0 }: KillFault): number {
  return before ?? behind;
}
