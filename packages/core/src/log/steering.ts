import { functionCallsOf } from '../events/content-parts.js';
import type { EventActions } from '../events/event-actions.js';
import type { Event } from '../events/event.js';
import { logOf, type Session } from '../events/session.js';
import { present } from '@adorn/schema';
import { effectiveEventsBackwards } from './effective-events.js';

/** Control actions: the actions of a tool that decide how the run continues. */
export type Steering = Pick<EventActions, 'transferToAgent' | 'escalate' | 'skipSummarization'>;

/** Control actions that tools set while another call of the same answer waited. */
export interface DeferredSteering extends Steering {
  /** The name of the loop that the escalation ends. */
  readonly exits?: string | undefined;
}

/** The key of the custom metadata of an escalation for the name of the loop that it ends. */
export const EXITS = 'adorn:exits';

/** The loop name, from the response of the tool, or from the composite or agent that passes the escalation on. */
export function exitIn({ customMetadata, functionResponses }: Event): string | undefined {
  const passedOn = customMetadata?.[EXITS];
  const asked = functionResponses.find(({ name = '' }) => name.startsWith('exit_loop_'))?.response?.['loop'];
  return [passedOn, asked].find((name) => typeof name === 'string');
}

/**
 * The key of an event's custom metadata for the control actions that its tools set while another call of the same answer
 * waited.
 */
export const DEFERRED_STEERING = 'adorn:deferredSteering';

/**
 * The deferred control actions of earlier calls of these answers: the strongest one, and the first of several transfers.
 *
 * @param origins the events that hold the calls
 */
export function deferredSteering(session: Session, origins: readonly Event[]): DeferredSteering | undefined {
  const before = new Set(origins.map(({ id }) => id));
  const calls = new Set(origins.flatMap(({ content }) => functionCallsOf(content).map(({ id }) => id)));
  let steering: DeferredSteering | undefined;
  for (const event of effectiveEventsBackwards(logOf(session))) {
    if (before.delete(event.id) && before.size === 0) break;
    const deferred = steeringIn(event);
    if (deferred && event.functionResponses.some(({ id }) => calls.has(id)))
      steering = { ...steering, ...deferred };
  }
  return steering;
}

function steeringIn(event: Event): DeferredSteering | undefined {
  const { author, customMetadata } = event;
  if (author === 'user') return undefined;
  const deferred = customMetadata?.[DEFERRED_STEERING];
  if (typeof deferred !== 'object' || deferred === null) return undefined;
  const { transferToAgent, escalate, skipSummarization } = deferred as Record<keyof Steering, unknown>;
  return present({
    transferToAgent: typeof transferToAgent === 'string' ? transferToAgent : undefined,
    ...(escalate === true ? { escalate, exits: exitIn(event) } : undefined),
    skipSummarization: skipSummarization === true || undefined,
  });
}
