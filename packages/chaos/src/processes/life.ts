import { setTimeout as sleep } from 'node:timers/promises';

/** The write behind which a process dies. */
export interface Death {
  /** The number of the write, from 1. */
  readonly behind: number;
  /** `at once` as soon as it is stored; `before the next` write: with the effects of tools that are not stored. */
  readonly moment: 'at once' | 'before the next';
}

/** How long each step of a model or a tool takes, in milliseconds. */
const STEP_MS = 2;
const WRITES: ReadonlySet<PropertyKey> = new Set([
  ...['appendEvent', 'appendEvents', 'openRun'],
  // Of the ledger of effects.
  ...['claim', 'complete', 'release', 'revoke'],
]);

/** The life of a process: how many writes it has made, and whether it may go on. */
export class Life {
  /** Resolves when the process has died. */
  readonly died: Promise<void>;
  writes = 0;
  private isOver = false;
  private readonly end: () => void;

  /**
   * @param death absent for a process that does not die
   * @param die ends the process. Default: the part of this process that stands for it stops
   */
  constructor(
    private readonly death?: Death,
    private readonly die: () => void = () => undefined,
  ) {
    let end: () => void = () => undefined;
    this.died = new Promise((resolve) => (end = resolve));
    this.end = end;
  }

  /** A step of a model or a tool. Of a dead process, it never ends. */
  async step(): Promise<void> {
    await sleep(STEP_MS);
    if (this.isOver) await NEVER;
  }

  /** A store as a process of this life reaches it. */
  bounds<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
        // A listener is of this process, and not of the store.
        if (name === 'onDelete') return call;
        if (WRITES.has(name)) return (...args: unknown[]) => this.write(() => call(...args));
        return async (...args: unknown[]) => (this.isOver ? NEVER : call(...args));
      },
    });
  }

  private async write(store: () => unknown): Promise<unknown> {
    const { behind = Infinity, moment } = this.death ?? {};
    const number = ++this.writes;
    if (number > behind) return this.endNow();
    const stored = await store();
    return number === behind && moment === 'at once' ? this.endNow() : this.isOver ? NEVER : stored;
  }

  private endNow(): Promise<never> {
    this.isOver = true;
    this.die();
    this.end();
    return NEVER;
  }
}

const NEVER = new Promise<never>(() => undefined);
