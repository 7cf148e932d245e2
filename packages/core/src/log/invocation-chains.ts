import { functionCallsOf, functionResponsesOf, hasWords } from '../events/content-parts.js';
import type { Event } from '../events/event.js';
import { callOfScope, runPathOf } from '../events/event-place.js';
import { isRemark } from '../events/remark.js';
import { isReadWithin } from '../events/mail.js';
import { isRecoveryAttempt } from '../events/run-record.js';
import type { Session } from '../events/session.js';
import type { LogEntry } from './effective-events.js';
import { Projection, SessionSlot } from './projection.js';

/**
 * The key of a message's custom metadata for the invocation whose interrupted calls its run repeats: it continues that
 * invocation.
 */
export const CONTINUES = 'adorn:continues';

/** True for a message that a user wrote to begin a run, and not for an answer, a summary or the input of an agent. */
export function isUserMessage(event: Event): boolean {
  const { author, actions, content } = event;
  if (author !== 'user' || actions.compaction || runPathOf(event) !== undefined || isReadWithin(event))
    return false;
  return content !== undefined && functionResponsesOf(content).length === 0;
}

/** True for a message of a user with more than answers to requests: a turn begins with it. */
export function beginsTurn(event: Event): boolean {
  const { author, content } = event;
  if (author !== 'user' || runPathOf(event) !== undefined || isReadWithin(event)) return false;
  return content !== undefined && hasWords(content);
}

/** An invocation and the invocations that continued it, with answers or after a crash. */
export interface InvocationChain {
  readonly invocationIds: ReadonlySet<string>;
  /** The events of all its invocations, oldest first. */
  readonly events: readonly Event[];
}

/** The chains of a session's invocations at the moment when a run that continues another begins. */
export class InvocationChains {
  private readonly index: ChainIndex;
  private readonly last: Chain | undefined;
  private readonly end: number;

  constructor(session: Session) {
    this.index = ChainIndex.of(session);
    this.last = this.index.last;
    this.end = session.nextSeq;
  }

  /** The chains of these invocations, merged into one. */
  of(invocationIds: readonly string[]): InvocationChain | undefined {
    const chains = new Set(invocationIds.flatMap((id) => this.index.byInvocation.get(id) ?? []));
    if (chains.size === 0) return undefined;
    const entries = [...chains].flatMap((chain) => chain.entries);
    if (chains.size > 1) entries.sort((one, other) => one.seq - other.seq);
    return this.before(
      entries,
      [...chains].flatMap((chain) => [...chain.invocationIds]),
    );
  }

  /** The chain of the log's last event. */
  get latest(): InvocationChain | undefined {
    return this.last && this.before(this.last.entries, this.last.invocationIds);
  }

  /** Without the events that were appended since. */
  private before(entries: readonly LogEntry[], invocationIds: Iterable<string>): InvocationChain {
    const events = entries.flatMap(({ event, seq }) => (seq < this.end ? [event] : []));
    return { invocationIds: new Set(invocationIds), events };
  }
}

/** The ids of an invocation and of those that it continued or that continued it; empty if the log has none of that id. */
export function chainedInvocations(session: Session, invocationId: string): ReadonlySet<string> {
  return new InvocationChains(session).of([invocationId])?.invocationIds ?? new Set();
}

/** An invocation and those that continued it. */
interface Chain {
  readonly invocationIds: Set<string>;
  /** Oldest first. */
  readonly entries: LogEntry[];
}

const indexes = new SessionSlot(() => new ChainIndex());

/** The chains of a session, updated with each event. */
class ChainIndex extends Projection {
  readonly byInvocation = new Map<string, Chain>();
  last: Chain | undefined;
  private readonly byCall = new Map<string, Chain>();

  static of(session: Session): ChainIndex {
    const index = indexes.of(session);
    index.catchUp(session);
    return index;
  }

  protected override reset(): void {
    this.byInvocation.clear();
    this.byCall.clear();
    this.last = undefined;
  }

  protected override apply(event: Event, seq: number): void {
    const { actions, content, invocationId } = event;
    if (actions.compaction || isRecoveryAttempt(event) || isRemark(event)) return;
    const chain = this.chainOf(event);
    chain.invocationIds.add(invocationId);
    chain.entries.push({ event, seq });
    this.byInvocation.set(invocationId, chain);
    this.last = chain;
    for (const { id = '' } of functionCallsOf(content)) this.byCall.set(id, chain);
  }

  /**
   * An invocation continues the invocations whose requests it answers, or whose interrupted calls it repeats; without a
   * message, it continues the last one.
   */
  private chainOf(event: Event): Chain {
    const { author, content, customMetadata, invocationId, isolationScope } = event;
    const ofTool = isolationScope === undefined ? undefined : this.byCall.get(callOfScope(isolationScope));
    if (ofTool) return ofTool;
    const isInput = runPathOf(event) !== undefined;
    if (author !== 'user' || isInput || isReadWithin(event))
      return this.byInvocation.get(invocationId) ?? this.last ?? newChain();
    const answered = functionResponsesOf(content).map(({ id = '' }) => this.byCall.get(id));
    const continued = this.byInvocation.get(String(customMetadata?.[CONTINUES]));
    return answered.find((chain) => chain !== undefined) ?? continued ?? newChain();
  }
}

function newChain(): Chain {
  return { invocationIds: new Set(), entries: [] };
}
