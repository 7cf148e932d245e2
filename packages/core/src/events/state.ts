import {
  AdornError,
  frozenJson,
  OptionInvalidError,
  shownName,
  toJsonValue,
  refuseTooLong,
} from '@adorn/schema';

/** Writes to the state by key; `null` removes the key. */
export type StateDelta = Readonly<Record<string, unknown>>;

/** Applies one write to a state object in place. */
export function applyKey(state: Record<string, unknown>, key: string, value: unknown): void {
  if (value === null || value === undefined) Reflect.deleteProperty(state, key);
  else state[key] = value;
}

/** The scope of a state key, given by its prefix. */
export type StateScope = 'app' | 'user' | 'session' | 'temp';

const APP = 'app:';
const USER = 'user:';
const TEMPORARY = 'temp:';

/** `app:` keys are shared by all users, `user:` keys by the sessions of a user; `temp:` keys last for one invocation; other keys belong to the session. */
export function scopeOf(key: string): StateScope {
  if (key.startsWith(TEMPORARY)) return 'temp';
  if (key.startsWith(USER)) return 'user';
  if (key.startsWith(APP)) return 'app';
  return 'session';
}

export function isTemporary(key: string): boolean {
  return key.startsWith(TEMPORARY);
}

/**
 * The delta as it is stored: without `temp:` keys, and with values converted to JSON. Returns the same object if nothing
 * changes.
 *
 * @throws {ValueNotJsonError} if a value is not JSON
 * @throws {NameTooLongError} if a key is too long
 */
export function persistedDelta(delta: StateDelta): StateDelta {
  let lasting: Record<string, unknown> | undefined;
  for (const key in delta) {
    const value = delta[key];
    const isGone = isTemporary(key);
    if (!isGone) refuseTooLong('key of the state', key);
    const converted = isGone ? undefined : toJsonValue(value);
    if (!isGone && (converted === value || value === undefined)) continue;
    lasting ??= copyOf(delta);
    if (isGone) Reflect.deleteProperty(lasting, key);
    else lasting[key] = converted;
  }
  return lasting ?? delta;
}

/**
 * The delta of a user's state as it is stored.
 *
 * @throws {OptionInvalidError} if a key does not begin with `user:`
 * @throws {ValueNotJsonError} if a value is not JSON
 * @throws {NameTooLongError} if a key is too long
 */
export function userDelta(delta: StateDelta): StateDelta {
  const other = Object.keys(delta).find((key) => scopeOf(key) !== 'user');
  if (other === undefined) return persistedDelta(delta);
  throw new OptionInvalidError(
    'updateUserState',
    `the key "${shownName(other)}" is not of a user`,
    'Begin it with "user:", or write it with updateSession.',
  );
}

/** Without a prototype, so that no key of it is a key of all objects. */
function copyOf(delta: StateDelta): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, delta);
}

/** The layers of state below a caller's own writes. */
export interface StateLayers {
  /** `app:`, `user:` and session keys, as last stored. */
  readonly stored: Readonly<Record<string, unknown>>;
  /** One key of `stored`, without a copy of all keys. */
  findStored(key: string): unknown;
  /** `temp:` keys of this invocation. */
  readonly temporary: Readonly<Record<string, unknown>>;
}

/** A read-only view of the state. Its values are deeply frozen: write a changed copy with {@link State.set}. */
export class ReadonlyState {
  constructor(
    /** Where keys are looked up, for subclasses only. */
    protected readonly layers: StateLayers,
  ) {}

  /**
   * The value of a key; undefined if the key is not set.
   *
   * @typeParam Value the expected type; not checked
   */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- a short form of a cast
  get<Value = unknown>(key: string): Value | undefined;
  /** The value of a key; `fallback` if the key is not set. */
  get<Value>(key: string, fallback: Value): Value;
  get<Value>(key: string, fallback?: Value): Value | undefined {
    return (this.lookUp(key) as Value | undefined) ?? fallback;
  }

  /** True if the key has a value. A key that was set to `null` has none. */
  has(key: string): boolean {
    return this.lookUp(key) !== undefined;
  }

  /** Every key with its value, `temp:` included. */
  entries(): [string, unknown][] {
    return Object.entries({ ...this.layers.stored, ...this.layers.temporary });
  }

  /** The value of a key in all layers; undefined if the key is not set. */
  protected lookUp(key: string): unknown {
    const { layers } = this;
    if (!isTemporary(key)) return layers.findStored(key);
    return Object.hasOwn(layers.temporary, key) ? layers.temporary[key] : undefined;
  }
}

/**
 * The state as a tool or a callback sees it: reads see its own writes, and the writes become the `stateDelta`
 * of the event that is made of it.
 */
export class State extends ReadonlyState {
  private delta: Record<string, unknown> | undefined;

  /** @param requireOpen called before each write; it throws once the context of the state is closed. Default: always open */
  constructor(
    layers: StateLayers,
    private readonly requireOpen?: (what: string) => void,
  ) {
    super(layers);
  }

  /** The writes so far, as of now; undefined if there are none. A removed key is `null`. */
  get written(): StateDelta | undefined {
    return this.delta && Object.freeze(copyOf(this.delta));
  }

  /** The writes so far, which are stored by whoever takes them: they are no writes of this state any more. */
  takeWritten(): StateDelta | undefined {
    const { written } = this;
    this.delta = undefined;
    return written;
  }

  /**
   * Writes a copy of the value. `null` removes the key. A value that was read is frozen, so a change is written as a
   * new value.
   *
   * @param value a JSON value, which is copied; `null` or `undefined` removes the key
   * @throws {ValueNotJsonError}
   * @throws {ContextClosedError} once the call or the callback is over
   * @example
   * context.state.set('items', [...context.state.get('items', []), item]);
   */
  set(key: string, value: unknown): void {
    this.requireOpen?.(`state.set("${key}")`);
    this.write(key, frozenJson(toJsonValue(value)));
  }

  /** Removes the key: writes `null`. */
  delete(key: string): void {
    this.requireOpen?.(`state.delete("${key}")`);
    this.write(key, null);
  }

  private write(key: string, value: unknown): void {
    this.delta ??= Object.create(null) as Record<string, unknown>;
    this.delta[key] = value;
  }

  override entries(): [string, unknown][] {
    const merged = new Map(super.entries());
    for (const [key, value] of Object.entries(this.delta ?? {})) {
      if (value === null) merged.delete(key);
      else merged.set(key, value);
    }
    return [...merged];
  }

  protected override lookUp(key: string): unknown {
    if (this.delta && Object.hasOwn(this.delta, key)) return this.delta[key] ?? undefined;
    return super.lookUp(key);
  }
}

/** Prefix of keys reserved for the framework. */
const RESERVED = '_adorn';

/**
 * Copies and checks the `stateDelta` of a message. It may only write session keys and `temp:` keys: all users read
 * `app:` keys, and all sessions of the user read `user:` keys.
 *
 * @throws {StateDeltaRefusedError}
 */
export function callerDelta(delta: unknown): StateDelta {
  if (typeof delta !== 'object' || delta === null || Array.isArray(delta)) {
    throw new StateDeltaRefusedError(`it must be an object, but is ${kindOf(delta)}`);
  }
  const checked = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(delta)) {
    const scope = scopeOf(key);
    if (scope === 'app' || scope === 'user') throw StateDeltaRefusedError.ofScope(key, scope);
    if (key === '__proto__' || key.startsWith(RESERVED)) {
      throw new StateDeltaRefusedError(`the key "${shortened(key)}" is reserved`);
    }
    checked[key] = value;
  }
  return checked;
}

/** The `stateDelta` of a run contains keys that a message may not write. */
class StateDeltaRefusedError extends AdornError {
  readonly code = 'STATE_DELTA_REFUSED';

  constructor(why: string) {
    super(`The stateDelta of run was refused: ${why}. Nothing was stored.`);
  }

  static ofScope(key: string, scope: 'app' | 'user'): StateDeltaRefusedError {
    const readers = scope === 'app' ? 'all users' : 'all sessions of the user';
    return new this(
      `"${shortened(key)}" is shared by ${readers}, but a message may only write session keys and temp: keys; ` +
        'write it from a tool or a callback, or with runner.sessions.updateSession',
    );
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function shortened(key: string): string {
  return key.length > 80 ? `${key.slice(0, 80)}…` : key;
}
