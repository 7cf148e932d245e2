import type { Event } from '../events/event.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { Toolset } from '../toolsets/toolset.js';
import { nameOfToolset } from '../toolsets/wrapped.toolset.js';
import { failedToolset, type ToolsetFailure, type ToolsetListing } from './list-toolsets.js';
import { requestOfToolset } from './toolset-auth.js';
import type { TurnAgent } from './turn-agent.js';

/** The key of an event's custom metadata for a toolset that the run goes on without. */
export const TOOLSET_FAILED = 'adorn:toolsetFailed';

/** The events that a listing puts before the model call. */
export interface ListingEvents {
  readonly events: readonly Event[];
  /** True if the model is not asked: for a credential, or because a required toolset failed. */
  readonly isOver: boolean;
}

const NO_EVENTS: ListingEvents = Object.freeze({ events: [], isOver: false });

/** The toolsets of each run whose failure an event has told. */
const toldOfRuns = new WeakMap<InvocationContext, Set<Toolset>>();

/** The requests and failures of a listing as events; each failing toolset is told once in a run. */
export async function eventsOfListing(
  { unauthorised, failures }: ToolsetListing,
  agent: TurnAgent,
  context: InvocationContext,
): Promise<ListingEvents> {
  if (unauthorised.length === 0 && failures.length === 0) return NO_EVENTS;
  const requests: Event[] = [];
  const failed = [...failures];
  for (const toolset of unauthorised) {
    try {
      requests.push(await requestOfToolset(toolset, agent, context));
    } catch (error) {
      if (context.cancellation.isCancelled) return NO_EVENTS;
      failed.push(failedToolset(toolset, agent, context, error));
    }
  }
  const missing = failed.find(({ toolset }) => toolset.listing?.required === true);
  if (missing !== undefined) return { events: [endEvent(agent, context, missing.message)], isOver: true };
  const told = failed
    .map((failure) => failureEvent(failure, agent, context))
    .filter((event) => event !== undefined);
  return { events: [...told, ...requests], isOver: requests.length > 0 };
}

/** Undefined if the failure was told earlier in the run. */
function failureEvent(
  { toolset, message }: ToolsetFailure,
  agent: TurnAgent,
  context: InvocationContext,
): Event | undefined {
  const told = toldOfRuns.get(context) ?? new Set<Toolset>();
  if (told.has(toolset)) return undefined;
  toldOfRuns.set(context, told.add(toolset));
  const failed = { toolset: nameOfToolset(toolset), code: 'TOOLSET_FAILED', message };
  return context.event({ author: agent.name, customMetadata: { [TOOLSET_FAILED]: failed } });
}

function endEvent(agent: TurnAgent, context: InvocationContext, errorMessage: string): Event {
  return context.event({
    author: agent.name,
    errorCode: 'TOOLSET_FAILED',
    errorMessage,
    turnComplete: true,
  });
}
