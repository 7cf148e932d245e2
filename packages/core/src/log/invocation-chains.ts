import { functionCallsOf, functionResponsesOf } from '../content/content-parts.js';
import type { Event } from '../events/event.js';
import { callOfScope, runPathOf } from '../events/event-place.js';
import { isRecoveryAttempt } from '../events/run-record.js';
import { logOf, type Session } from '../events/session.js';
import { effectiveEvents } from './effective-events.js';

/**
 * The key of a message's custom metadata for the invocation whose interrupted calls its run repeats: it continues that
 * invocation.
 */
export const CONTINUES = 'adorn:continues';

/** An invocation and the invocations that continued it, with answers or after a crash. */
export interface InvocationChain {
  readonly invocationIds: ReadonlySet<string>;
  /** The events of all its invocations, oldest first. */
  readonly events: readonly Event[];
}

/** Groups the invocations of a session into chains. Built from the whole log, for a run that continues another. */
export class InvocationChains {
  private readonly byInvocation = new Map<string, MutableChain>();
  private readonly byCall = new Map<string, MutableChain>();
  private readonly events: readonly Event[];
  private last: MutableChain | undefined;

  constructor(session: Session) {
    this.events = effectiveEvents(logOf(session));
    for (const event of this.events) this.add(event);
  }

  /** The chains of these invocations, merged into one. */
  of(invocationIds: readonly string[]): InvocationChain | undefined {
    const chains = new Set(invocationIds.flatMap((id) => this.byInvocation.get(id) ?? []));
    const [first, ...others] = chains;
    if (others.length === 0) return first;
    const joined = new Set([...chains].flatMap((chain) => [...chain.invocationIds]));
    return {
      invocationIds: joined,
      events: this.events.filter(({ invocationId }) => joined.has(invocationId)),
    };
  }

  /** The chain of the log's last event. */
  get latest(): InvocationChain | undefined {
    return this.last;
  }

  private add(event: Event): void {
    const { actions, content, invocationId } = event;
    if (actions.compaction !== undefined || isRecoveryAttempt(event)) return;
    const chain = this.chainOf(event);
    chain.invocationIds.add(invocationId);
    chain.events.push(event);
    this.byInvocation.set(invocationId, chain);
    this.last = chain;
    for (const { id = '' } of functionCallsOf(content)) this.byCall.set(id, chain);
  }

  /**
   * An invocation continues the invocations whose requests it answers, or whose interrupted calls it repeats; without a
   * message, it continues the last one.
   */
  private chainOf(event: Event): MutableChain {
    const { author, content, customMetadata, invocationId, isolationScope } = event;
    const ofTool = isolationScope === undefined ? undefined : this.byCall.get(callOfScope(isolationScope));
    if (ofTool !== undefined) return ofTool;
    const isInput = runPathOf(event) !== undefined;
    if (author !== 'user' || isInput)
      return this.byInvocation.get(invocationId) ?? this.last ?? { invocationIds: new Set(), events: [] };
    const answered = functionResponsesOf(content).map(({ id = '' }) => this.byCall.get(id));
    const continued = this.byInvocation.get(String(customMetadata?.[CONTINUES]));
    return (
      answered.find((chain) => chain !== undefined) ?? continued ?? { invocationIds: new Set(), events: [] }
    );
  }
}

interface MutableChain extends InvocationChain {
  readonly invocationIds: Set<string>;
  readonly events: Event[];
}
