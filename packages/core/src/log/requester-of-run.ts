import { type Principal, toPrincipal } from '../approvals/principal.js';
import type { Event } from '../events/event.js';
import { runPathOf } from '../events/event-place.js';
import { requesterIn, saysRequester } from '../events/requester.js';
import type { Session } from '../events/session.js';
import { beginsTurn, InvocationChains } from './invocation-chains.js';

/**
 * Who began the run of an invocation: who sent its message, or opened it as a live session, or, if it continues others with answers or after a crash, the
 * message before. The user of the session if the log does not say.
 *
 * @param invocationId undefined for the last run of the log
 */
export function requesterOfRun(session: Session, invocationId: string | undefined): Principal {
  const chains = new InvocationChains(session);
  const chain = invocationId === undefined ? chains.latest : chains.of([invocationId]);
  const message = chain && messageOf(chain.events, invocationId);
  return message ? requesterIn(message, session.userId) : toPrincipal(session.userId, 'the session');
}

/** The message of the invocation itself, or else the last one before it. */
function messageOf(events: readonly Event[], invocationId: string | undefined): Event | undefined {
  const own = events.find((event) => event.invocationId === invocationId && isOfSender(event));
  if (own) return own;
  const first =
    invocationId === undefined ? -1 : events.findIndex((one) => one.invocationId === invocationId);
  return events.slice(0, first < 0 ? events.length : first).findLast(isOfSender) ?? events.find(isOfSender);
}

function isOfSender(event: Event): boolean {
  return (beginsTurn(event) || saysRequester(event)) && runPathOf(event) === undefined;
}
