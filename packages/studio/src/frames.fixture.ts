import type { Frame } from '@adorn/server/client';

/** The fields of a frame that a test is about. */
type Given = { readonly kind: Frame['kind'] } & Readonly<Record<string, unknown>>;

/** A frame of the agent `support` in the run `i1`, at a second of the clock. */
export function frameAt(timestamp: number, given: Given): Frame {
  const place = { author: 'support', path: 'support', invocationId: 'i1', eventId: `e${String(timestamp)}` };
  return { ...place, timestamp, ...given } as unknown as Frame;
}

/** A request for the approval of the call `c1`. */
export function requestAt(timestamp: number): Frame {
  const request = {
    kind: 'confirmation',
    id: 'r1',
    functionCallId: 'c1',
    tool: 'refund',
    args: { cents: 5 },
  };
  return frameAt(timestamp, { kind: 'request', request });
}
