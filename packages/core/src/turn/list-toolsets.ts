import type { FoundCredential } from '../auth/credential-resolver.js';
import { credentialForTool, withoutSecrets } from '../auth/auth-credential.js';
import { AdornError, describeThrown } from '@adorn/schema';
import type { Event } from '../events/event.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { safeText } from '../run/invocation-services.js';
import { ToolTable } from '../tools/tool-table.js';
import type { Tool } from '../tools/tool.js';
import { isOffered } from '../tools/tool-ui.js';
import { ToolsetTimeoutError } from '../tools/toolsets/errors.js';
import { listTools } from '../tools/toolsets/listing.js';
import { type Toolset, ToolsetContext } from '../tools/toolsets/toolset.js';
import { nameOfToolset } from '../tools/toolsets/wrapped.toolset.js';
import { checkProviderTools } from './provider-tools.js';
import { type AuthorisedToolset, requestOfToolset } from './toolset-auth.js';
import { END, endWith, type Step, type Turn } from './step.js';
import type { TurnAgent } from './turn-agent.js';

/** The tools of an agent and its toolsets for one model call. */
export interface ToolsetListing {
  readonly tools: ToolTable;
  /** The tools of the toolsets alone, without closed ones. */
  readonly listed: readonly Tool[];
  /** The toolsets whose credential the user has to give first. */
  readonly unauthorised: readonly AuthorisedToolset[];
  /** The toolsets that could not be listed. */
  readonly failures: readonly ToolsetFailure[];
}

/** A toolset that cannot be used in this run, and why. */
interface ToolsetFailure {
  readonly toolset: Toolset;
  readonly message: string;
}

/** The outcome of listing one toolset. */
type Listed = readonly Tool[] | 'unauthorised' | ToolsetFailure;

/** Lists the toolsets of an agent in parallel. A toolset that fails, or is abandoned at a cancellation, is left out. */
export async function listToolsets(agent: TurnAgent, context: InvocationContext): Promise<ToolsetListing> {
  const lists = await Promise.all(agent.toolsets.map((toolset) => listOne(toolset, agent, context)));
  if (!lists.every(isList)) return buildListing(agent, context, lists);
  const known = knownListing(agent, lists);
  if (known) return known;
  // Copied at once, because the list of a `StaticToolset` may grow meanwhile.
  const copies = lists.map((list) => [...list]);
  const listing = await buildListing(agent, context, copies);
  if (listing.failures.length === 0) cacheListing(agent, { lists: copies, listing });
  return listing;
}

function isList(listed: Listed): listed is readonly Tool[] {
  return Array.isArray(listed);
}

/** Default time limit of a listing in milliseconds, including the credential. */
const DEFAULT_MS = 30_000;

async function listOne(toolset: Toolset, agent: TurnAgent, context: InvocationContext): Promise<Listed> {
  const late = lateToolsets(context).get(toolset);
  if (late) return late;
  const { cancellation } = context;
  const limit = toolset.listing?.timeout ?? DEFAULT_MS;
  const listing = new Listing(toolset, agent, context);
  let failure: ToolsetTimeoutError | undefined;
  try {
    return await cancellation.wait(listing.run(), {
      limit,
      late: () => (failure = new ToolsetTimeoutError(nameOfToolset(toolset), limit)),
    });
  } catch (error) {
    if (error === failure || cancellation.isCancelled) listing.stop(error as Error);
    if (cancellation.isCancelled) return [];
    const failed = failedToolset(toolset, agent, context, error, listing.found);
    if (error === failure) lateToolsets(context).set(toolset, failed);
    return failed;
  }
}

/** A listing that is in progress. */
class Listing {
  found: FoundCredential | undefined;
  private context: ToolsetContext | undefined;

  constructor(
    private readonly toolset: Toolset,
    private readonly agent: TurnAgent,
    private readonly invocation: InvocationContext,
  ) {}

  async run(): Promise<Listed> {
    const { toolset, agent, invocation } = this;
    const { auth } = toolset;
    if (!auth) return listTools(toolset, (this.context = new ToolsetContext(invocation, agent)));
    const { appName, userId, services } = invocation;
    this.found = await services.auth.find({ appName, userId }, auth);
    if (!this.found) return 'unauthorised';
    this.context = new ToolsetContext(invocation, agent, credentialForTool(this.found.credential));
    try {
      return await listTools(toolset, this.context);
    } catch (error) {
      if (AdornError.is(error) && error.code === 'CREDENTIAL_REJECTED')
        await services.auth.forget({ appName, userId }, auth);
      throw error;
    }
  }

  /** Aborts an abandoned listing. */
  stop(reason: Error): void {
    this.context?.abort(reason);
  }
}

/** The toolsets that exceeded their time limit in a run: they are not asked again in it. */
function lateToolsets(context: InvocationContext): Map<Toolset, ToolsetFailure> {
  let late = lateOfRuns.get(context);
  if (!late) lateOfRuns.set(context, (late = new Map<Toolset, ToolsetFailure>()));
  return late;
}

const lateOfRuns = new WeakMap<InvocationContext, Map<Toolset, ToolsetFailure>>();

/** Logs a failure, and returns it with a message without secrets. */
function failedToolset(
  toolset: Toolset,
  agent: TurnAgent,
  { services }: InvocationContext,
  error: unknown,
  found?: FoundCredential,
): ToolsetFailure {
  const name = nameOfToolset(toolset);
  services.logger.error('a toolset could not be listed', { agent: agent.path, toolset: name, error });
  const cause = withoutSecrets(describeThrown(error).message, found?.credential);
  return { toolset, message: safeText(`The toolset ${name} failed: ${cause}`, services.redaction) };
}

/** Builds the table of an agent's tools, one toolset at a time, so that a faulty toolset can be left out. */
async function buildListing(
  agent: TurnAgent,
  context: InvocationContext,
  lists: readonly Listed[],
): Promise<ToolsetListing> {
  let tools = agent.tools;
  const listed: Tool[] = [];
  const unauthorised: AuthorisedToolset[] = [];
  const failures: ToolsetFailure[] = [];
  const owners = new Map<Tool, Toolset>();
  for (const [index, list] of lists.entries()) {
    const toolset = agent.toolsets[index] as Toolset;
    if (list === 'unauthorised') unauthorised.push(toolset as AuthorisedToolset);
    else if (!isList(list)) failures.push(list);
    else {
      try {
        const originOf = (tool: Tool, isAdded: boolean): string =>
          originIn(isAdded ? toolset : owners.get(tool), tool);
        const box = agent.boxes.find(({ toolsets }) => toolsets.includes(toolset));
        const added = await ToolTable.build(agent.name, list, tools, { originOf, box });
        checkProviderTools({ name: agent.name, model: agent.model, tools: added, toolsets: [] });
        tools = added;
        for (const tool of list) owners.set(tool, toolset);
        listed.push(...list.filter((tool) => added.isPassive(tool.name) || (!box && isOffered(tool))));
      } catch (error) {
        failures.push(failedToolset(toolset, agent, context, error));
      }
    }
  }
  return { tools, listed, unauthorised, failures };
}

function originIn(toolset: Toolset | undefined, { origin }: Tool): string {
  return toolset ? `${origin} of the toolset ${nameOfToolset(toolset)}` : origin;
}

interface KnownListing {
  readonly lists: readonly (readonly Tool[])[];
  readonly listing: ToolsetListing;
}

/** Maximum number of listings kept for each agent: they may differ by user and state. */
const MOST_LISTINGS = 16;

/** The latest listings of each agent, newest first. */
const listings = new WeakMap<TurnAgent, KnownListing[]>();

function knownListing(agent: TurnAgent, lists: KnownListing['lists']): ToolsetListing | undefined {
  return listings.get(agent)?.find((known) => isSameLists(known.lists, lists))?.listing;
}

function isSameLists(one: KnownListing['lists'], other: KnownListing['lists']): boolean {
  return one.every((list, index) => {
    const tools = other[index];
    return list.length === tools?.length && list.every((tool, place) => tool === tools[place]);
  });
}

function cacheListing(agent: TurnAgent, added: KnownListing): void {
  listings.set(agent, [added, ...(listings.get(agent) ?? [])].slice(0, MOST_LISTINGS));
}

/** The key of an event's custom metadata for a failed toolset, without which the run continues. */
const TOOLSET_FAILED = 'adorn:toolsetFailed';

/**
 * Lists the toolsets of a turn's agent, and emits what they ask for and what failed.
 *
 * @returns the listing, or the step that ends the turn: without a credential or a required toolset nothing is called
 */
export async function listForTurn(turn: Turn): Promise<ToolsetListing | Step> {
  const { agent, context, sink } = turn;
  const listing = await listToolsets(agent, context);
  const { events, isOver } = await eventsOfListing(listing, agent, context);
  if (context.cancellation.isCancelled) return endWith('CANCELLED', turn);
  for (const event of events) await sink.emit(event);
  return isOver ? END : listing;
}

/** The events of a listing, which come before the model call. */
interface ListingEvents {
  readonly events: readonly Event[];
  /** True if the model is not called: a credential is missing, or a required toolset has failed. */
  readonly isOver: boolean;
}

const NO_EVENTS: ListingEvents = Object.freeze({ events: [], isOver: false });

/** The toolsets of each run whose failure an event has reported. */
const reportedOfRuns = new WeakMap<InvocationContext, Set<Toolset>>();

/** The requests and failures of a listing as events; each failing toolset is reported once in a run. */
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
  if (missing) return { events: [endEvent(agent, context, missing.message)], isOver: true };
  const told = failed
    .map((failure) => failureEvent(failure, agent, context))
    .filter((event) => event !== undefined);
  return { events: [...told, ...requests], isOver: requests.length > 0 };
}

/** Undefined if the failure was reported earlier in the run. */
function failureEvent(
  { toolset, message }: ToolsetFailure,
  agent: TurnAgent,
  context: InvocationContext,
): Event | undefined {
  const told = reportedOfRuns.get(context) ?? new Set<Toolset>();
  if (told.has(toolset)) return undefined;
  reportedOfRuns.set(context, told.add(toolset));
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
