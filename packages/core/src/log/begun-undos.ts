import { callerOf } from '../events/caller.js';
import { functionCallsOf, functionResponsesOf } from '../events/content-parts.js';
import type { Event } from '../events/event.js';
import { isRequestName } from '../events/pending-request.js';
import type { Session } from '../events/session.js';
import { type CallPlace, placeKey, planIn, undoOf } from '../events/undo-mark.js';
import { PendingIndex } from './pending-index.js';
import { Projection, SessionSlot } from './projection.js';

/** A call of an undo in the log. */
export interface BegunUndo {
  /** The number of its event in the log. */
  readonly seq: number;
  /** `withdrawn`: a rewind took its call back before it ended. */
  readonly outcome: 'undone' | 'waiting' | 'failed' | 'unknown' | 'withdrawn';
  /** Why it is not undone, for a person. */
  readonly reason?: string | undefined;
}

interface StoredUndo {
  readonly seq: number;
  readonly callId: string;
  /** Undefined until its call has a response. */
  readonly end: Pick<BegunUndo, 'outcome' | 'reason'> | undefined;
}

const slots = new SessionSlot(() => new BegunUndos());

/** The last undo of each call of a session. Each event is read once, also those that were rewound: a rewind does not do anything again. */
export class BegunUndos extends Projection {
  /** By the place of the call that is undone. */
  private readonly last = new Map<string, StoredUndo>();
  /** The places of calls that are undone, by the id of the undo's call. */
  private readonly places = new Map<string, string>();
  /** The numbers of the messages of undos, by their ids. */
  private readonly plans = new Map<string, number>();

  static of(session: Session): BegunUndos {
    const index = slots.of(session);
    index.catchUp(session);
    return index;
  }

  /** The last undo of a call; undefined if none has begun. */
  find(place: CallPlace, session: Session): BegunUndo | undefined {
    const stored = this.last.get(placeKey(place));
    if (!stored) return undefined;
    const { seq, callId, end = { outcome: outcomeOfOpen(session, callId) } } = stored;
    return { seq, ...end };
  }

  /** The number of the message of an undo in the log; -1 if it has none. */
  planSeq(id: string | undefined): number {
    return this.plans.get(id ?? '') ?? -1;
  }

  protected override isInvalidatedBy(): boolean {
    return false;
  }

  protected override reset(): void {
    this.last.clear();
    this.places.clear();
    this.plans.clear();
  }

  protected override apply(event: Event, seq: number): void {
    if (planIn(event)) this.plans.set(event.id, seq);
    const mark = undoOf(event);
    const [call] = functionCallsOf(event.content);
    if (mark && call && !isRequestName(call.name)) {
      const key = placeKey(mark);
      const callId = call.id ?? '';
      this.places.set(callId, key);
      this.last.set(key, { seq, callId, end: undefined });
    }
    if (this.places.size === 0) return;
    for (const { id = '', willContinue, response = {} } of functionResponsesOf(event.content)) {
      const key = this.places.get(id);
      const begun = key === undefined || willContinue === true ? undefined : this.last.get(key);
      if (begun && key !== undefined) this.last.set(key, { ...begun, end: endOf(event, response) });
    }
  }
}

/** An open call that waits for nobody was interrupted. One that is not open was rewound. */
function outcomeOfOpen(session: Session, callId: string): BegunUndo['outcome'] {
  const index = PendingIndex.of(session);
  if (index.findCall(callId) === undefined) return 'withdrawn';
  return index.find(callId) === undefined ? 'unknown' : 'waiting';
}

/** A response of the tool itself has the caller; those to calls that did not go on have not. */
function endOf(
  event: Event,
  response: Readonly<Record<string, unknown>>,
): Pick<BegunUndo, 'outcome' | 'reason'> {
  if (callerOf(event) && event.errorCode === undefined) return { outcome: 'undone' };
  const { error, reason, outcome } = response;
  const said = [event.errorMessage ?? error, reason].filter((one) => typeof one === 'string').join(': ');
  return { outcome: outcome === 'unknown' ? 'unknown' : 'failed', reason: said };
}
