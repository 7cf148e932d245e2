import { functionCallsOf, functionResponsesOf } from '../content/content-parts.js';
import type { Event } from '../events/event.js';
import { callOfScope, runPathOf } from '../events/event-place.js';
import { logOf, type Session } from '../events/session.js';
import { effectiveEvents } from './effective-events.js';

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
   * An invocation continues those whose requests it answers, and those whose interrupted calls it goes on with; without a
   * message, it continues the last one.
   */
  private chainOf(event: Event): MutableChain {
    const { author, content, invocationId, isolationScope } = event;
    const ofTool = isolationScope === undefined ? undefined : this.byCall.get(callOfScope(isolationScope));
    if (ofTool !== undefined) return ofTool;
    const isInput = runPathOf(event) !== undefined;
    const isMessage = author === 'user' && !isInput;
    const own = isMessage ? undefined : this.byInvocation.get(invocationId);
    if (!isMessage && own === undefined) return this.last ?? { invocationIds: new Set(), events: [] };
    const answered = functionResponsesOf(content)
      .map(({ id = '' }) => this.byCall.get(id))
      .find((chain) => chain !== undefined);
    if (answered !== undefined && own !== undefined && answered !== own) this.join(answered, own);
    return answered ?? own ?? { invocationIds: new Set(), events: [] };
  }

  /** A run that went on with the interrupted calls of an earlier one continues it. */
  private join(earlier: MutableChain, later: MutableChain): void {
    for (const id of later.invocationIds) {
      earlier.invocationIds.add(id);
      this.byInvocation.set(id, earlier);
    }
    earlier.events.push(...later.events);
    for (const [id, chain] of this.byCall) if (chain === later) this.byCall.set(id, earlier);
  }
}

interface MutableChain extends InvocationChain {
  readonly invocationIds: Set<string>;
  readonly events: Event[];
}

/**
 * The key of an event's custom metadata for the number of the attempt to recover its run, from 1. Such an event has no
 * content. It announces the attempt to other processes, and counts it.
 */
export const RECOVERY_ATTEMPT = 'adorn:recoveryAttempt';

export function isRecoveryAttempt({ customMetadata }: Event): boolean {
  return customMetadata?.[RECOVERY_ATTEMPT] !== undefined;
}
