import type { Frame } from '@adorn/server/client';

/** A change of the session's state by an event. */
export interface StateChange {
  readonly eventId: string;
  readonly author: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly key: string;
  readonly before: unknown;
  /** Null or undefined if the key was removed. */
  readonly after: unknown;
}

/** What the events changed in the state, oldest first. */
export function stateChanges(frames: readonly Frame[]): StateChange[] {
  const known = new Map<string, unknown>();
  return frames.flatMap((frame) => {
    if (frame.kind === 'end' || frame.eventId === undefined) return [];
    const delta = deltaOf(frame);
    return Object.entries(delta).map(([key, after]) => {
      const before = known.get(key);
      known.set(key, after);
      return {
        eventId: frame.eventId ?? '',
        author: frame.author ?? '',
        timestamp: frame.timestamp ?? 0,
        key,
        before,
        after,
      };
    });
  });
}

/** The state that a frame changed: of a state's frame, or of the event that ends with the frame. */
function deltaOf(frame: Exclude<Frame, { kind: 'end' }>): Readonly<Record<string, unknown>> {
  if (frame.kind === 'state') return frame.stateDelta;
  return {};
}

/** A version of a file that an event saved. */
export interface SavedFile {
  readonly name: string;
  readonly version: number;
  readonly eventId: string;
  readonly author: string;
  readonly timestamp: number;
}

/** The files that were saved, oldest version first. */
export function savedFiles(frames: readonly Frame[]): SavedFile[] {
  return frames.flatMap((frame) =>
    frame.kind !== 'state'
      ? []
      : Object.entries(frame.artifactDelta).map(([name, version]) => {
          const { eventId, author, timestamp } = frame;
          return { name, version, eventId, author, timestamp };
        }),
  );
}
