/** A value or a promise of it. */
export type Awaitable<Value> = Value | PromiseLike<Value>;

export function isPromiseLike<Value>(value: Awaitable<Value>): value is PromiseLike<Value> {
  return (
    typeof value === 'object' && value !== null && typeof (value as PromiseLike<Value>).then === 'function'
  );
}
