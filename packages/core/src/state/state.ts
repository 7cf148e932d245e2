import { copyJson, toJsonValue } from '../json/json-value.js';
import { isTemporary, type StateDelta } from './state-delta.js';

/** The layers of state below a caller's own writes. */
export interface StateLayers {
  /** `app:`, `user:` and session keys, as last stored. */
  readonly stored: Readonly<Record<string, unknown>>;
  /** One key of `stored`, without a copy of all keys. */
  findStored(key: string): unknown;
  /** `temp:` keys of this invocation. */
  readonly temporary: Readonly<Record<string, unknown>>;
}

/** A read-only view of the state. */
export class ReadonlyState {
  constructor(protected readonly layers: StateLayers) {}

  /** @typeParam Value the expected type; not checked */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- a short form of a cast
  get<Value = unknown>(key: string): Value | undefined;
  get<Value>(key: string, fallback: Value): Value;
  get<Value>(key: string, fallback?: Value): Value | undefined {
    return (this.lookUp(key) as Value | undefined) ?? fallback;
  }

  has(key: string): boolean {
    return this.lookUp(key) !== undefined;
  }

  /** Every key with its value, `temp:` included. */
  entries(): [string, unknown][] {
    return Object.entries({ ...this.layers.stored, ...this.layers.temporary });
  }

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

  /** The writes so far; undefined if there are none. A removed key is `null`. */
  get written(): StateDelta | undefined {
    return this.delta;
  }

  /**
   * @param value a JSON value, which is copied; `null` or `undefined` removes the key
   * @throws {ValueNotJsonError}
   */
  set(key: string, value: unknown): void {
    this.delta ??= Object.create(null) as Record<string, unknown>;
    this.delta[key] = copyJson(toJsonValue(value));
  }

  delete(key: string): void {
    this.set(key, null);
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
    if (this.delta !== undefined && Object.hasOwn(this.delta, key)) return this.delta[key] ?? undefined;
    return super.lookUp(key);
  }
}
