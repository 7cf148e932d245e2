import { CallbackFailedError } from '../callbacks/errors.js';
import { functionCallsOf, functionResponsesOf } from '../content/content-parts.js';
import type { Content } from '../content/genai-types.js';
import { kindOf } from '../errors/describe-thrown.js';
import type { EventActions } from '../events/event-actions.js';
import { Event, type EventFields } from '../events/event.js';
import { isSameJson } from '../json/is-same-json.js';

/**
 * An event that a callback returned in place of another. It takes the place of the original: the run goes on with the
 * calls and the steering of the original, so these must be the same.
 *
 * @throws {CallbackFailedError} if it is not an event, or differs in what it must keep
 */
export function replacementOf(label: string, original: Event, returned: unknown): Event {
  if (!isEventLike(returned)) {
    throw new CallbackFailedError(label, `it returned ${kindOf(returned)}. Return an Event, or nothing.`);
  }
  const { id, invocationId, timestamp, branch, nodeInfo, partial } = original;
  const event = new Event({ ...returned, id, invocationId, timestamp, branch, nodeInfo, partial });
  const changed = KEPT.find(([, read]) => !isSameJson(read(original), read(event)));
  if (changed === undefined) return event;
  throw new CallbackFailedError(
    label,
    `the returned event has another ${changed[0]}. Keep it as it is, such as with event.with({ content }).`,
  );
}

/** What a replacement must keep. */
const KEPT: readonly (readonly [string, (event: Event) => unknown])[] = [
  ['author', ({ author }) => author],
  ['list of function calls', ({ content }) => functionCallsOf(content)],
  ['list of function responses', ({ content }) => addressesOf(content)],
  ['list of long-running calls', ({ longRunningToolIds }) => longRunningToolIds],
  ['set of actions', ({ actions }) => withoutState(actions)],
];

function isEventLike(returned: unknown): returned is EventFields {
  return (
    typeof returned === 'object' && returned !== null && typeof Reflect.get(returned, 'author') === 'string'
  );
}

/** The results may change, but not the calls that they answer. */
function addressesOf(content: Content | undefined): unknown[] {
  return functionResponsesOf(content).map(({ id, name, willContinue }) => [
    id ?? '',
    name ?? '',
    willContinue ?? false,
  ]);
}

/** Without fields that are undefined: an event without actions has none of them. */
function withoutState(actions: EventActions): unknown {
  return Object.fromEntries(
    Object.entries(actions).filter(([name, value]) => name !== 'stateDelta' && value !== undefined),
  );
}
