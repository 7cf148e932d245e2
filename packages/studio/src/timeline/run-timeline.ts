/* eslint-disable max-lines -- one pass over the frames of a run, a method for each kind of frame */
import type { Frame } from '@adorn/server/client';

/** What a bar of the timeline stands for. */
export type BarKind = 'message' | 'model' | 'tool' | 'wait' | 'transfer' | 'error';

/** A span of time in a run. Times are seconds since 1970. */
export interface Bar {
  readonly id: string;
  readonly kind: BarKind;
  readonly label: string;
  readonly start: number;
  readonly end: number;
  /** When the first piece of a model's answer came, if it was streamed to this page. */
  readonly firstPiece?: number | undefined;
  readonly isOpen: boolean;
  readonly isFailed: boolean;
  readonly tokens?: number | undefined;
  readonly eventId: string;
  /** The place among the bars of its row that are at the same time. */
  readonly lane: number;
}

/** The bars of one agent. */
export interface TimelineRow {
  readonly path: string;
  readonly name: string;
  /** 0 for the root agent. */
  readonly depth: number;
  readonly lanes: number;
  readonly bars: readonly Bar[];
}

/** A run as rows of bars. */
export interface RunTimeline {
  readonly invocationId: string;
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly rows: readonly TimelineRow[];
}

type PlacedFrame = Exclude<Frame, { kind: 'end' }> & {
  readonly invocationId: string;
  readonly eventId: string;
  readonly timestamp: number;
};
type DraftBar = Omit<Bar, 'lane'>;

/** The ids of the runs in the frames, oldest first. */
export function runsOf(frames: readonly Frame[]): string[] {
  return [...new Set(frames.map(({ invocationId }) => invocationId ?? ''))].filter((id) => id !== '');
}

/** What is known of a run besides its frames. */
export interface TimelineOptions {
  /** Ends what is still running, in seconds since 1970. */
  readonly now: number;
  /** The ids of the requests that wait. */
  readonly pending: ReadonlySet<string>;
  readonly isActive: boolean;
  /** When the first piece of an answer came, by the id of its event. */
  readonly firstPieces?: ReadonlyMap<string, number>;
}

/**
 * The timeline of a run from its frames. An agent's model call begins when the agent's previous step ended, a tool when it
 * was called: the log has the ends of steps only.
 */
export function timelineOf(
  frames: readonly Frame[],
  invocationId: string,
  { now, pending, isActive, firstPieces = new Map() }: TimelineOptions,
): RunTimeline {
  const own = frames.filter(
    (frame): frame is PlacedFrame => isPlaced(frame) && frame.invocationId === invocationId,
  );
  const builder = new TimelineBuilder(now, pending, firstPieces, own);
  for (const frame of own) builder.add(frame);
  return builder.build(invocationId, isActive);
}

function isPlaced(frame: Frame): frame is PlacedFrame {
  return frame.kind !== 'end' && frame.eventId !== undefined && frame.timestamp !== undefined;
}

/** The tokens of model calls, by the ids of their events. */
function tokensOf(frames: readonly PlacedFrame[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { event, eventId } of frames) {
    const usage = event?.['usageMetadata'] as { totalTokenCount?: number } | undefined;
    if (usage?.totalTokenCount !== undefined) counts.set(eventId, usage.totalTokenCount);
  }
  return counts;
}

class TimelineBuilder {
  private readonly rows = new Map<string, DraftBar[]>();
  private readonly names = new Map<string, string>();
  /** When the last step of each row ended. */
  private readonly idleSince = new Map<string, number>();
  private readonly firstPieces = new Map<string, number>();
  private readonly seenModelEvents = new Set<string>();
  private readonly openCalls = new Map<string, { row: string; bar: DraftBar }>();
  private readonly openRequests = new Map<string, { row: string; bar: DraftBar }>();
  private root = '';
  private start = Infinity;
  private last = 0;
  private readonly tokens: ReadonlyMap<string, number>;

  constructor(
    private readonly now: number,
    private readonly pending: ReadonlySet<string>,
    private readonly knownPieces: ReadonlyMap<string, number>,
    own: readonly PlacedFrame[],
  ) {
    this.tokens = tokensOf(own);
  }

  add(frame: PlacedFrame): void {
    this.start = Math.min(this.start, frame.timestamp);
    this.last = Math.max(this.last, frame.timestamp);
    if (frame.author === 'user') {
      this.addOfUser(frame);
      return;
    }
    const row = this.rowOf(frame);
    if ('partial' in frame && frame.partial === true) {
      if (!this.firstPieces.has(row)) this.firstPieces.set(row, frame.timestamp);
      return;
    }
    if (frame.kind === 'text' || frame.kind === 'call' || frame.kind === 'file')
      this.addModelCall(row, frame);
    if (frame.kind === 'call') this.openCall(row, frame);
    if (frame.kind === 'result') this.closeCall(frame);
    if (frame.kind === 'request') this.openRequest(row, frame);
    if (frame.kind === 'state' && frame.transferToAgent !== undefined)
      this.mark(row, 'transfer', `to ${frame.transferToAgent}`, frame);
    if (frame.kind === 'error') this.addError(row, frame);
  }

  build(invocationId: string, isActive: boolean): RunTimeline {
    const waiting = [...this.openRequests.values()].some(({ bar }) => this.pending.has(bar.id));
    const end = isActive ? Math.max(this.now, this.last) : this.last;
    for (const { row, bar } of this.openRequests.values())
      this.push(row, {
        ...bar,
        end: this.pending.has(bar.id) ? Math.max(this.now, bar.start) : this.last,
        isOpen: this.pending.has(bar.id),
      });
    for (const { row, bar } of this.openCalls.values()) this.push(row, { ...bar, end, isOpen: isActive });
    if (isActive && !waiting && this.openCalls.size === 0) this.addRunningModelCall(end);
    const rows = [...this.rows].map(([path, bars]) => this.timelineRow(path, bars));
    const ends = rows.flatMap(({ bars }) => bars.map((bar) => bar.end));
    return {
      invocationId,
      start: Number.isFinite(this.start) ? this.start : this.now,
      end: Math.max(end, ...ends),
      tokens: [...this.tokens.values()].reduce((sum, count) => sum + count, 0),
      rows,
    };
  }

  private addOfUser(frame: PlacedFrame): void {
    if (frame.kind === 'answer') {
      const open = this.openRequests.get(frame.id);
      this.openRequests.delete(frame.id);
      if (open) this.push(open.row, { ...open.bar, end: frame.timestamp });
    }
    for (const row of this.rows.keys()) this.idleSince.set(row, frame.timestamp);
    this.idleSince.set('', frame.timestamp);
  }

  private rowOf({ path, author = 'agent' }: PlacedFrame): string {
    const row = path ?? author;
    if (this.root === '') this.root = row;
    if (!this.rows.has(row)) this.rows.set(row, []);
    this.names.set(row, row.split('/').at(-1) ?? author);
    return row;
  }

  private addModelCall(row: string, frame: PlacedFrame): void {
    if (this.seenModelEvents.has(frame.eventId)) return;
    this.seenModelEvents.add(frame.eventId);
    const start = this.idleSince.get(row) ?? this.latestStep(frame);
    const tokens = this.tokens.get(frame.eventId);
    this.push(row, {
      ...{ id: `model-${frame.eventId}`, kind: 'model', label: 'model call', start, end: frame.timestamp },
      firstPiece: this.firstPieces.get(row) ?? this.knownPieces.get(frame.eventId),
      ...{ isOpen: false, isFailed: false, tokens, eventId: frame.eventId },
    });
    this.firstPieces.delete(row);
    this.idleSince.set(row, frame.timestamp);
  }

  /** The end of the latest step of any row before the frame. */
  private latestStep({ timestamp }: Pick<PlacedFrame, 'timestamp'>): number {
    const ends = [...this.idleSince.values()].filter((time) => time <= timestamp);
    return ends.length === 0 ? this.start : Math.max(...ends);
  }

  private openCall(
    row: string,
    { id, tool, timestamp, eventId }: Extract<PlacedFrame, { kind: 'call' }>,
  ): void {
    const bar: DraftBar = {
      ...{ id: `call-${id}`, kind: 'tool', label: tool, start: timestamp, end: timestamp, isOpen: true },
      ...{ isFailed: false, eventId },
    };
    this.openCalls.set(id, { row, bar });
  }

  private closeCall(frame: Extract<PlacedFrame, { kind: 'result' }>): void {
    const row = this.rowOf(frame);
    this.idleSince.set(row, frame.timestamp);
    const open = this.openCalls.get(frame.id);
    if (!open) {
      // The call waited, and ran after its answer.
      this.push(row, {
        ...{
          id: `again-${frame.id}`,
          kind: 'tool',
          label: frame.tool,
          start: this.latestStep(frame),
          end: frame.timestamp,
        },
        ...{ isOpen: false, isFailed: hasError(frame), eventId: frame.eventId },
      });
      return;
    }
    this.openCalls.delete(frame.id);
    const waits = [...this.openRequests.values()].some(
      ({ bar }) => bar.eventId !== '' && bar.label.endsWith(frame.tool),
    );
    this.push(open.row, {
      ...open.bar,
      end: frame.timestamp,
      isOpen: false,
      isFailed: !waits && hasError(frame),
    });
  }

  private openRequest(
    row: string,
    { request, timestamp, eventId }: Extract<PlacedFrame, { kind: 'request' }>,
  ): void {
    const bar: DraftBar = {
      ...{ id: request.id, kind: 'wait', label: `waits: ${request.tool}`, start: timestamp, end: timestamp },
      ...{ isOpen: false, isFailed: false, eventId },
    };
    this.openRequests.set(request.id, { row, bar });
  }

  private mark(row: string, kind: BarKind, label: string, { timestamp, eventId }: PlacedFrame): void {
    this.push(row, {
      id: `${kind}-${eventId}`,
      kind,
      label,
      start: timestamp,
      end: timestamp,
      isOpen: false,
      isFailed: false,
      eventId,
    });
    this.idleSince.set(row, timestamp);
  }

  /** An error without an answer is that of the model call before it. */
  private addError(row: string, frame: Extract<PlacedFrame, { kind: 'error' }>): void {
    const { code, eventId, timestamp: end } = frame;
    const start = this.idleSince.get(row) ?? this.latestStep(frame);
    this.push(row, {
      id: `error-${eventId}`,
      kind: 'error',
      label: code,
      start,
      end,
      isOpen: false,
      isFailed: true,
      tokens: this.tokens.get(eventId),
      eventId,
    });
    this.idleSince.set(row, end);
  }

  private addRunningModelCall(end: number): void {
    const row = [...this.rows.keys()].at(-1) ?? '';
    if (row === '') return;
    const start = this.idleSince.get(row) ?? this.latestStep({ timestamp: end });
    this.push(row, {
      ...{
        id: `running-${row}`,
        kind: 'model',
        label: 'model call',
        start,
        end,
        firstPiece: this.firstPieces.get(row),
      },
      ...{ isOpen: true, isFailed: false, eventId: '' },
    });
  }

  private push(row: string, bar: DraftBar): void {
    this.rows.get(row)?.push(bar);
  }

  private timelineRow(path: string, drafts: readonly DraftBar[]): TimelineRow {
    const ends: number[] = [];
    const bars = [...drafts]
      .sort((one, other) => one.start - other.start)
      .map((bar) => {
        const free = ends.findIndex((end) => end <= bar.start);
        const lane = free === -1 ? ends.length : free;
        ends[lane] = bar.end;
        return { ...bar, lane };
      });
    const depth = Math.max(0, path.split('/').length - this.root.split('/').length);
    return { path, name: this.names.get(path) ?? path, depth, lanes: Math.max(1, ends.length), bars };
  }
}

function hasError({ response }: Extract<PlacedFrame, { kind: 'result' }>): boolean {
  return response['error'] !== undefined && response['error'] !== null;
}

/** A map from the time of a run to a place from 0 to 1. Long waits for a person take little room. */
export interface TimeScale {
  place(time: number): number;
  time(place: number): number;
  /** Places at which time was left out. */
  readonly breaks: readonly number[];
}

/** The share of the width that a long wait gets. */
const WAIT_SHARE = 0.12;
/** Where in a long wait time is left out, from 0 to 1: behind the bar's label. */
const BREAK_PLACE = 0.8;

/** The scale of a timeline, or of a part of it. */
export function timeScale(timeline: RunTimeline, [from, to] = [timeline.start, timeline.end]): TimeScale {
  const waits = idleWaits(timeline).filter(([start, end]) => start < to && end > from);
  const total = Math.max(to - from, 0.001);
  const idle = waits.reduce((sum, [start, end]) => sum + end - start, 0);
  const active = Math.max(total - idle, 0.001);
  const cap = active * WAIT_SHARE;
  const pieces: { from: number; to: number; width: number; isBreak: boolean }[] = [];
  let at = from;
  for (const [start, end] of waits) {
    if (start > at) pieces.push({ from: at, to: start, width: start - at, isBreak: false });
    const isBreak = end - start > cap;
    pieces.push({
      from: Math.max(at, start),
      to: Math.min(end, to),
      width: Math.min(end - start, cap),
      isBreak,
    });
    at = Math.min(end, to);
  }
  if (at < to || pieces.length === 0)
    pieces.push({ from: at, to: Math.max(to, at + 0.001), width: Math.max(to - at, 0.001), isBreak: false });
  return scaleOf(pieces);
}

function scaleOf(
  pieces: readonly { from: number; to: number; width: number; isBreak: boolean }[],
): TimeScale {
  const width = pieces.reduce((sum, piece) => sum + piece.width, 0);
  let offset = 0;
  const placed = pieces.map((piece) => {
    const start = offset / width;
    offset += piece.width;
    return { ...piece, start, share: piece.width / width };
  });
  return {
    place: (time) => {
      const piece = placed.find(({ to }) => time <= to) ?? placed.at(-1);
      if (!piece) return 0;
      const within = piece.to === piece.from ? 0 : (time - piece.from) / (piece.to - piece.from);
      return Math.min(1, Math.max(0, piece.start + Math.max(0, within) * piece.share));
    },
    time: (place) => {
      const piece = placed.find(({ start, share }) => place <= start + share) ?? placed.at(-1);
      if (!piece) return 0;
      return piece.from + ((place - piece.start) / piece.share) * (piece.to - piece.from);
    },
    breaks: placed.filter(({ isBreak }) => isBreak).map(({ start, share }) => start + share * BREAK_PLACE),
  };
}

/** The times in which a run did nothing but wait for a person, in order. */
function idleWaits({ rows }: RunTimeline): [number, number][] {
  const bars = rows.flatMap((row) => row.bars);
  const busy = bars.filter(({ kind, start, end }) => kind !== 'wait' && end > start);
  const waits = bars
    .filter(({ kind, start, end }) => kind === 'wait' && end > start)
    .sort((a, b) => a.start - b.start);
  const merged: [number, number][] = [];
  for (const { start, end } of waits) {
    const stop = Math.min(
      end,
      ...busy.filter((bar) => bar.start >= start && bar.start < end).map((bar) => bar.start),
    );
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], stop);
    else if (stop > start) merged.push([start, stop]);
  }
  return merged;
}
