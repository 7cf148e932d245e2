import { HttpRequestError } from './errors.js';

/** The limits of one response body. */
export interface BodyLimits {
  readonly host: string;
  readonly maxBytes: number;
  readonly timeout: number;
}

/** A body that fails beyond its limits. What is left of the source is cancelled, which closes the connection. */
export function boundedBody(
  source: ReadableStream<Uint8Array>,
  { host, maxBytes, timeout }: BodyLimits,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = (error?: Error): void => {
    clearTimeout(timer);
    if (error !== undefined) void reader.cancel(error).catch(ignore);
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (timeout === Infinity) return;
      timer = setTimeout(() => {
        const late = new HttpRequestError('timeout', host, `the body did not end in ${String(timeout)} ms`);
        controller.error(late);
        end(late);
      }, timeout);
      timer.unref();
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          end();
          controller.close();
          return;
        }
        bytes += value.byteLength;
        if (bytes > maxBytes) throw new HttpRequestError('tooLarge', host, tooLarge(maxBytes));
        controller.enqueue(value);
      } catch (error) {
        end(error as Error);
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}

export function tooLarge(maxBytes: number): string {
  return `the body has more than ${String(maxBytes)} bytes`;
}

function ignore(): void {
  // The body has failed already, and its reader was told why.
}
