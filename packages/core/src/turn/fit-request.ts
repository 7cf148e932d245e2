import { AdornError, describeThrown } from '@adorn/schema';
import type { Event } from '../events/event.js';
import { compactionEvent, leftOut } from '../log/compaction-event.js';
import { effectiveEntries } from '../log/effective-events.js';
import type { ContextSizes } from '../models/context-too-long.js';
import type { ContextKeeper, LongRequest } from '../run/invocation-services.js';
import type { TurnModelRequest } from './model-request.js';
import type { Step, Turn } from './step.js';

/** How often in a row a model may refuse a request as too long: a refusal that names no window is followed by a guess. */
const MOST_REFUSALS = 8;

/**
 * The request of a turn, shortened if it is longer than its model takes. What is taken out of the conversation is an event
 * in the log. The request itself, with its instructions and the user's last message, is never cut.
 */
export async function fittingRequest(
  turn: Turn,
  build: () => Promise<TurnModelRequest>,
): Promise<TurnModelRequest> {
  const request = await build();
  const keeper = turn.context.keeper;
  if (!keeper?.isTooLong(turn.agent.model, request)) return request;
  return turn.context.alone(() => shorten(turn, keeper, build));
}

/** One agent after another: parallel branches would take the same results out twice. */
async function shorten(
  turn: Turn,
  keeper: ContextKeeper,
  build: () => Promise<TurnModelRequest>,
): Promise<TurnModelRequest> {
  const { agent, context } = turn;
  let request = await build();
  if (!keeper.isTooLong(agent.model, request)) return request;
  for await (const event of keeper.shorten(() => longRequest(turn, request))) {
    if (context.cancellation.isCancelled) break;
    await context.appendShortening(event);
    request = await build();
  }
  return request;
}

function longRequest({ agent, context }: Turn, { size, config, tools }: TurnModelRequest): LongRequest {
  const { session, branch, toolRun, invocationId, path, cancellation } = context;
  return {
    session,
    viewer: agent,
    place: { branch, scope: toolRun?.scope },
    model: agent.model,
    size,
    config,
    run: { invocationId, path },
    scope: cancellation,
    onlyReads: (name) => tools.find(name)?.tool.traits.effect === 'read',
  };
}

/** The last event of a turn whose request would be refused; undefined if it may be sent. */
export function hopelessEnd({ agent, context }: Turn, request: TurnModelRequest): Event | undefined {
  const { keeper } = context;
  if (!keeper?.isHopeless(agent.model, request)) return undefined;
  return context.event({
    author: agent.name,
    errorCode: 'CONTEXT_TOO_LONG',
    errorMessage: HOPELESS,
    turnComplete: true,
  });
}

/**
 * After the end of a conversation that is too long, the next message begins without it: otherwise no message would lead out
 * of it. What waits for a person or a result stays. A rewind before this run brings all of it back.
 */
export async function endTooLong({ context }: Turn, event: Event): Promise<Step> {
  const { session, branch, toolRun, invocationId, path, services } = context;
  const end: Step = { kind: 'end', event };
  if (branch !== undefined || toolRun) return end;
  const entries = effectiveEntries(session);
  const last = entries.at(-1);
  if (!last) return end;
  const seqs = { start: 0, end: last.seq };
  const run = { invocationId, path };
  await context.appendShortening(compactionEvent(entries, seqs, leftOut(), services.clock.now(), run));
  return end;
}

const HOPELESS =
  'The request is longer than the model takes, and nothing more of the conversation can be left out. ' +
  'Send a shorter message, shorten the instructions, or use a model with a larger context.';

/** Notes how a request ended. True if it was refused as too long, and shall be made again, shortened. */
export function isAskedAgain(turn: Turn, request: TurnModelRequest, { error, event }: ModelOutcome): boolean {
  const { keeper } = turn.context;
  const { model } = turn.agent;
  if (event.errorCode !== 'CONTEXT_TOO_LONG') {
    turn.tooLong = 0;
    const { promptTokenCount: tokens } = event.usageMetadata ?? {};
    if (keeper && tokens !== undefined) keeper.noteTokens(model, request.size, tokens);
    return false;
  }
  if (!keeper || turn.tooLong >= MOST_REFUSALS) return false;
  turn.tooLong += 1;
  // The request counts once against the limits of the turn.
  turn.asked -= 1;
  keeper.noteRefusal(model, request.size, sizesIn(error));
  return true;
}

/** How a model answered. */
interface ModelOutcome {
  /** What it threw. */
  readonly error: unknown;
  readonly event: Event;
}

function sizesIn(error: unknown): ContextSizes {
  if (!AdornError.is(error) || describeThrown(error).code !== 'CONTEXT_TOO_LONG') return {};
  const { window, requested } = error as { readonly [Name in keyof ContextSizes]?: unknown };
  return {
    window: typeof window === 'number' ? window : undefined,
    requested: typeof requested === 'number' ? requested : undefined,
  };
}
