import { describeThrown } from '@adorn/schema';
import type { EventActions } from '../events/event-actions.js';
import type { EventSink } from '../events/event-sink.js';
import type { Event, EventBody } from '../events/event.js';
import { agentAt, type AgentNode, runsOn } from './agent-node.js';
import {
  type AgentFailure,
  type AgentResult,
  conclusionMetadata,
  ResultCollector,
  resultOfAll,
} from './agent-result.js';
import type { GuardedObservation, Operation, OperationEnd } from './telemetry/observation.js';
import { NotTakenError } from './cancellation.js';
import type { Performed } from './emit-events.js';
import { AgentStoppedError } from './errors.js';
import type { InvocationContext } from './invocation-context.js';
import type { RecordedRun } from './replay.js';

/** Runs an agent that begins an invocation, or that takes over from another. */
export function runAgent(context: InvocationContext, sink: EventSink): Promise<Performed> {
  return context.agent.isLlmAgent ? perform(context, sink) : runComposite(context, sink);
}

/** Performs the agent, observed if a plugin observes. */
function perform(context: InvocationContext, sink: EventSink): Promise<Performed> {
  const { agent, services } = context;
  const observation = services.observe?.(agentOperation(context));
  return observation ? performObserved(context, sink, observation) : agent.perform(context, sink);
}

function agentOperation(context: InvocationContext): Operation {
  const { agent, path, isResumed } = context;
  const { name, description, model } = agent;
  return { kind: 'agent', name, description, path, isResumed, model, ...context.observedRun };
}

async function performObserved(
  context: InvocationContext,
  sink: EventSink,
  observation: GuardedObservation,
): Promise<Performed> {
  const { agent, path } = context;
  let errorCode: string | undefined;
  const emit = (event: Event): Promise<void> => {
    if (!event.partial && event.nodeInfo?.path === path) errorCode = event.errorCode;
    return sink.emit(event);
  };
  try {
    const performed = await observation.within(() => agent.perform(context, { emit }));
    observation.end(agentEnd(context, errorCode));
    return performed;
  } catch (error) {
    const isStopped = error instanceof NotTakenError || error instanceof AgentStoppedError;
    observation.end(isStopped ? { status: 'cancelled' } : { status: 'failed', error });
    throw error;
  }
}

function agentEnd(context: InvocationContext, errorCode: string | undefined): OperationEnd {
  if (context.cancellation.isCancelled) return { status: 'cancelled', errorCode };
  if (errorCode !== undefined) return { status: 'failed', errorCode };
  return { status: context.isWaiting ? 'paused' : 'completed' };
}

async function runComposite(context: InvocationContext, sink: EventSink): Promise<Performed> {
  const recorded = recordedRun(context);
  if (recorded?.hasEnded === true) {
    concludeRun(context, await recordedResult(recorded, context));
    return 'done';
  }
  if (context.agent.subAgents.length > 0) context.ending = 'open';
  let emitted = 0;
  const emit = (event: Event): Promise<void> => {
    emitted++;
    context.noteOwn(event);
    return sink.emit(event);
  };
  if ((await perform(context, { emit })) === 'stopped') return 'stopped';
  if (hasStopped(context)) return 'done';
  // A run that was resumed after its answer may have nothing to add.
  const before = emitted === 0 ? recorded : undefined;
  const result = concludedResult(context) ?? (before && (await collectedResult(before.collected, context)));
  concludeRun(context, result);
  await recordEnd(context);
  return 'done';
}

/** Sets the result of the invocation, unless the composite runs as a tool. */
function concludeRun({ invocation, toolRun }: InvocationContext, result?: AgentResult<unknown>): void {
  if (!toolRun) invocation.result = result;
}

/** Runs an agent that a composite invoked. @returns its result; undefined if it stops */
export async function runChild(
  context: InvocationContext,
  parent: InvocationContext,
  sink: EventSink,
): Promise<AgentResult<unknown> | undefined> {
  const change = treeChange(parent, context.path);
  if (change) await sink.emit(change);
  if (change || parent.cancellation.isCancelled) return undefined;
  parent.progress.begin(context.path);
  return runTracked(context, sink);
}

/**
 * Runs an agent whose end is recorded, such as an agent that runs as a tool. A run that has ended before returns its
 * recorded result.
 *
 * @returns undefined if it stops
 */
export async function runTracked(
  context: InvocationContext,
  sink: EventSink,
): Promise<AgentResult<unknown> | undefined> {
  const { invocation, input } = context;
  const recorded = recordedRun(context);
  if (recorded?.hasEnded === true) return recordedResult(recorded, context);
  const collected = recorded?.collected ?? new ResultCollector();
  context.ending = 'open';
  if (input !== undefined && !recorded) await recordInput(context, input);
  const emit = (event: Event): Promise<void> => {
    context.noteOwn(event);
    if (isHeard(event, context)) collected.note(event, isOwn(event, context));
    return sink.emit(event);
  };
  try {
    if ((await perform(context, { emit })) === 'stopped') return undefined;
  } catch (error) {
    if (
      invocation.log.isFailure(error) ||
      error instanceof AgentStoppedError ||
      error instanceof NotTakenError
    )
      throw error;
    return failed(context, error, collected, sink);
  }
  if (hasStopped(context)) return undefined;
  await recordEnd(context);
  return resultOf(collected, context);
}

/** The recorded run. A run that has ended does not run again. */
function recordedRun({ invocation, path, isResumed }: InvocationContext): RecordedRun | undefined {
  return isResumed ? invocation.replay?.run(path) : undefined;
}

/** Writes the end of the run to the log, unless its last event records it. The event is not yielded to the caller. */
async function recordEnd(context: InvocationContext): Promise<void> {
  const { ending, concluded, agent } = context;
  if (ending !== 'open') return;
  context.ending = 'recorded';
  const customMetadata = concluded && conclusionMetadata(concluded);
  await context.store(context.event({ author: agent.name, actions: END_OF_AGENT, customMetadata }));
}

const END_OF_AGENT: Partial<EventActions> = Object.freeze({ endOfAgent: true });

/** The last event of a run. It also records the end: no crash comes between the two. */
export function lastEvent(context: InvocationContext, body: EventBody): Event {
  const { concluded, ending } = context;
  if (ending !== 'open') return context.event(body);
  context.ending = 'recorded';
  const isOwnResult = concluded === undefined || body.content !== undefined || body.errorCode !== undefined;
  const adopted = isOwnResult ? undefined : conclusionMetadata(concluded);
  return context.event({
    ...body,
    actions: { ...body.actions, endOfAgent: true },
    customMetadata: adopted ? { ...body.customMetadata, ...adopted } : body.customMetadata,
  });
}

/** Writes the input of the agent to the log. The event is not yielded to the caller. */
async function recordInput(context: InvocationContext, text: string): Promise<void> {
  const { path } = context;
  const content = { role: 'user', parts: [{ text }] };
  await context.store(context.event({ author: 'user', nodeInfo: { path }, content }));
}

/** Converts an error of an agent into its result, so that its siblings may continue. */
async function failed(
  context: InvocationContext,
  error: unknown,
  { text, texts, escalated }: ResultCollector,
  sink: EventSink,
): Promise<AgentResult<unknown>> {
  const { agent, path, services } = context;
  services.logger.error('an agent failed', { agent: path, error });
  const { code = 'AGENT_FAILED', message } = describeThrown(error);
  const body = { author: agent.name, actions: { endOfAgent: true }, errorCode: code, errorMessage: message };
  await sink.emit(context.event(body));
  return { status: 'failed', path, text, texts, output: undefined, escalated, error: { code, message } };
}

/**
 * The error event if a resumed run does not do what the log holds.
 *
 * @param next the path of the run that it invokes next; absent at the end of `run`
 */
export function treeChange(context: InvocationContext, next?: string): Event | undefined {
  const deviation = context.isResumed ? context.progress.deviationAt(next) : undefined;
  if (deviation === undefined) return undefined;
  return treeChanged(context, deviation, next === undefined ? 'ended' : `invoked "${next}"`);
}

/** The error event if a resumed run has yielded an event that differs from the log. */
export function eventChange(context: InvocationContext): Event | undefined {
  const { deviation } = context.progress;
  return deviation === undefined ? undefined : treeChanged(context, deviation, 'yielded another event');
}

function treeChanged(context: InvocationContext, deviation: string, now: string): Event {
  const { name } = context.agent;
  return context.event({
    author: name,
    errorCode: 'AGENT_TREE_CHANGED',
    errorMessage:
      `The log holds ${deviation}, but the code of "${name}" ${now} instead: it has changed since the run began, or ` +
      'depends on changing values. No agent was run. Start again with runner.run, or record changing values with ' +
      'context.once.',
    turnComplete: true,
  });
}

/** True for a run that was cancelled, whose budget is spent, or in which something waits for an answer. */
export function hasStopped(context: InvocationContext): boolean {
  return context.cancellation.isCancelled || context.spent !== undefined || context.isWaiting;
}

/** False for events of an agent that runs as a tool: its answer is the result of the call. */
function isHeard({ isolationScope }: Event, { toolRun }: InvocationContext): boolean {
  return isolationScope === undefined || isolationScope === toolRun?.scope;
}

function isOwn({ nodeInfo }: Event, { invocation, path }: InvocationContext): boolean {
  const madeAt = nodeInfo?.path;
  if (madeAt === path || madeAt === undefined) return true;
  return runsOn(invocation.root.agent, madeAt).at(-1) === path;
}

async function resultOf(
  collected: ResultCollector,
  context: InvocationContext,
): Promise<AgentResult<unknown>> {
  return concludedResult(context, collected) ?? collectedResult(collected, context);
}

/** The result that the agent concluded with, unless the agent itself has failed. */
function concludedResult(
  { path, concluded }: InvocationContext,
  own?: ResultCollector,
): AgentResult<unknown> | undefined {
  if (!concluded || own?.error) return undefined;
  const result = 'path' in concluded ? concluded : resultOfAll(concluded);
  const { escalated, exits } = own ?? result;
  return { ...result, path, escalated, exits };
}

async function collectedResult(
  { text, texts, answeredBy, escalated, exits, error }: ResultCollector,
  { agent, path }: { readonly agent: AgentNode | undefined; readonly path: string },
): Promise<AgentResult<unknown>> {
  const said = { path, text, texts, escalated, exits };
  if (error) return { ...said, status: 'failed', output: undefined, error };
  const read = (answeredBy === path ? await agent?.readOutput?.(text) : undefined) ?? { output: text };
  if ('output' in read) return { ...said, status: 'answered', output: read.output, error };
  const fault = { code: 'OUTPUT_INVALID', message: `the answer ${read.fault}` };
  return { ...said, status: 'failed', output: undefined, error: fault };
}

/** The recorded result of a run that has ended. */
async function recordedResult(
  { path, collected, conclusion }: RecordedRun,
  context: InvocationContext,
): Promise<AgentResult<unknown>> {
  const { invocation } = context;
  const { escalated, exits, error } = collected;
  if (conclusion === undefined || error)
    return collectedResult(collected, { agent: agentAt(invocation.root.agent, path), path });
  const results: AgentResult<unknown>[] = [];
  for (const one of typeof conclusion === 'string' ? [conclusion] : conclusion) {
    const run = invocation.replay?.run(one);
    results.push(run ? await recordedResult(run, context) : cancelledResult(one));
  }
  const [first = cancelledResult(path)] = results;
  return { ...(typeof conclusion === 'string' ? first : resultOfAll(results)), path, escalated, exits };
}

/** The result of a run that another run made superfluous. */
export function cancelledResult(path: string): AgentResult<unknown> {
  return failedResult(path, { code: 'CANCELLED', message: SUPERFLUOUS });
}

/** The result of a run that was ended from outside. */
export function failedResult(path: string, error: AgentFailure): AgentResult<unknown> {
  return { status: 'failed', path, text: '', texts: [], output: undefined, escalated: false, error };
}

export const SUPERFLUOUS = 'the agent was cancelled, because another that ran beside it was enough';
