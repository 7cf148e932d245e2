import type { Cancellation } from '../invocation/cancellation.js';

/** Cancels a run when a signal says so; the function returned lets go of the signal. */
export function followSignal(cancellation: Cancellation, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return noop;
  const cancel = (): void => {
    cancellation.cancel();
  };
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return () => {
    signal.removeEventListener('abort', cancel);
  };
}

function noop(): void {
  // There is no signal to let go of.
}
