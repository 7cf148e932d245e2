/**
 * Waits for a promise until the signal is aborted; the promise is ignored from then on.
 *
 * @throws the signal's reason as soon as it is aborted
 */
export async function unlessAborted<Result>(waiting: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([waiting, aborted]);
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
}
