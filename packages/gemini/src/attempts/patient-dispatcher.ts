const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

/**
 * Node's `fetch` gives up on a body that is silent for five minutes, and a thinking model may be. Our own timeout
 * watches instead. Undefined where Node's dispatcher is out of sight; then its five minutes hold.
 */
export function patientDispatcher(): Dispatcher | undefined {
  const found = (globalThis as { [GLOBAL_DISPATCHER]?: Dispatcher })[GLOBAL_DISPATCHER];
  if (found === undefined) return undefined;
  return {
    dispatch: (options, handler) =>
      found.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  };
}
