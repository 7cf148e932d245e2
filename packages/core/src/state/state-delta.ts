/** Writes to the state by key; `null` removes the key. */
export type StateDelta = Readonly<Record<string, unknown>>;

/** Lays one write over a state, in place. */
export function applyKey(state: Record<string, unknown>, key: string, value: unknown): void {
  if (value === null || value === undefined) Reflect.deleteProperty(state, key);
  else state[key] = value;
}
