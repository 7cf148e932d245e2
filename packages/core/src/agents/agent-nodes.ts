import type { CallbackChain } from '../callbacks/callback-chain.js';
import type { ToolDispatcher } from '../dispatch/tool-dispatcher.js';
import { describeThrown } from '../errors/describe-thrown.js';
import type { EventActions } from '../events/event-actions.js';
import type { EventSink } from '../events/event-sink.js';
import type { Event } from '../events/event.js';
import type { AgentNode, AgentOutput, TransferPolicy } from '../invocation/agent-node.js';
import { hasStopped } from '../invocation/agent-run.js';
import { emitEvents, type Performed } from '../invocation/emit-events.js';
import { CallbackContext } from '../invocation/callback-context.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { MADE_BY_CALLBACK } from '../invocation/replay.js';
import type { Model } from '../models/model.js';
import { unlessCancelled } from '../invocation/cancellation.js';
import type { ToolTable } from '../tools/tool-table.js';
import type { Toolbox } from '../toolsets/toolbox.js';
import type { Toolset } from '../toolsets/toolset.js';
import type { RequestPlan } from '../turn/request-plan.js';
import { readStructuredAnswer } from '../turn/structured-answer.js';
import type { PlannedAgent, LlmSettings } from '../turn/turn-agent.js';
import { runTurns } from '../turn/turn-loop.js';
import type { BaseAgent } from './base.agent.js';
import { LlmAgent } from './llm.agent.js';

/** The place of a node in the tree. */
export interface AgentPlace {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly parentAgent: AgentNode | undefined;
  readonly transfer: TransferPolicy;
  readonly callbacks: CallbackChain;
}

/** An agent in its place in a tree. The user's instance is its definition; nothing is assigned to that. */
export class BaseAgentNode implements AgentNode {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly isLlmAgent: boolean = false;
  readonly parentAgent: AgentNode | undefined;
  readonly transfer: TransferPolicy;
  readonly callbacks: CallbackChain;
  /** Filled while the tree is assembled. */
  subAgents: readonly AgentNode[] = [];
  toolAgents: readonly AgentNode[] = [];

  constructor(
    readonly definition: BaseAgent<unknown>,
    place: AgentPlace,
  ) {
    this.name = place.name;
    this.description = place.description;
    this.path = place.path;
    this.parentAgent = place.parentAgent;
    this.transfer = place.transfer;
    this.callbacks = place.callbacks;
  }

  perform(context: InvocationContext, sink: EventSink): Promise<Performed> {
    const { beforeAgent, afterAgent } = this.callbacks;
    return beforeAgent === undefined && afterAgent === undefined
      ? this.run(context, sink)
      : performWithCallbacks(this, context, sink);
  }

  /** The definition's own `run`. */
  run(context: InvocationContext, sink: EventSink): Promise<Performed> {
    const running = this.definition.run(context);
    return emitEvents(
      context.isResumed && !this.isLlmAgent ? withoutRepeats(running, context) : running,
      sink,
    );
  }
}

/** The node of an `LlmAgent`: the model, tools and requests are filled in once its place in the tree is known. */
export class LlmAgentNode extends BaseAgentNode implements PlannedAgent {
  override readonly isLlmAgent = true;
  model!: Model;
  turn!: LlmSettings;
  dispatcher!: ToolDispatcher;
  tools!: ToolTable;
  toolsets!: readonly Toolset[];
  boxes!: readonly Toolbox[];
  requests!: RequestPlan;

  override run(context: InvocationContext, sink: EventSink): Promise<Performed> {
    const isOwn = this.definition.run !== LlmAgent.prototype.run;
    return isOwn ? super.run(context, sink) : runTurns(this, context, sink);
  }

  readOutput(text: string): Promise<AgentOutput> {
    return readStructuredAnswer(this.turn, text);
  }
}

/** Drops the events that a repeated `run` yields again: they are in the log. */
async function* withoutRepeats(
  running: AsyncGenerator<Event, void, undefined>,
  context: InvocationContext,
): AsyncGenerator<Event, void, undefined> {
  for await (const event of running) if (!context.progress.isRepeated(event)) yield event;
}

/**
 * Runs an agent with its callbacks. If `beforeAgent` returns an answer, the agent does not run. A resumed run does
 * not call `beforeAgent` again.
 */
async function performWithCallbacks(
  agent: BaseAgentNode,
  context: InvocationContext,
  sink: EventSink,
): Promise<Performed> {
  if (context.isResumed && endedByCallback(context)) return 'done';
  const before = context.isResumed ? NO_REPLY : await replyOf('beforeAgent', agent, context);
  if (before.event !== undefined) await sink.emit(before.event);
  if (before.isLast) return 'done';
  const end = await agent.run(context, sink);
  if (end === 'stopped' || hasStopped(context)) return end;
  const after = await replyOf('afterAgent', agent, context);
  if (after.event !== undefined) await sink.emit(after.event);
  return 'done';
}

/** True if a callback had given the last answer, and the process died before the end of the run was stored. */
function endedByCallback({ lastStep }: InvocationContext): boolean {
  const hook = lastStep?.event.customMetadata?.[MADE_BY_CALLBACK];
  return hook === 'afterAgent' || (hook === 'beforeAgent' && lastStep?.event.content !== undefined);
}

interface CallbackReply {
  /** The event with the callback's answer, state changes or error; undefined if there are none. */
  readonly event?: Event | undefined;
  /** True if the agent does not run after it. */
  readonly isLast: boolean;
}

const NO_REPLY: CallbackReply = Object.freeze({ isLast: false });

/** Never rejects: a callback that fails ends its agent's turn with an event, as a model that fails does. */
async function replyOf(
  hook: 'beforeAgent' | 'afterAgent',
  agent: BaseAgentNode,
  invocation: InvocationContext,
): Promise<CallbackReply> {
  const callback = agent.callbacks[hook];
  if (callback === undefined) return NO_REPLY;
  const context = new CallbackContext(invocation, agent);
  try {
    const content = await unlessCancelled(callback(context), invocation.cancellation);
    const actions = context.takeActions();
    if (content === undefined && actions === undefined) return NO_REPLY;
    const spoken = {
      author: agent.name,
      ...(content !== undefined && { content }),
      actions,
      ...(isReplayed(agent) && { customMetadata: { [MADE_BY_CALLBACK]: hook } }),
    };
    return { event: invocation.event(spoken), isLast: content !== undefined };
  } catch (error) {
    // The runner says that the run was cancelled.
    if (invocation.cancellation.isCancelled) return { isLast: true };
    return { event: failureOf(hook, error, agent, invocation, context.takeActions()), isLast: true };
  }
}

/**
 * True for a composite, and for an agent that a composite invokes or that is called. The events of their callbacks
 * are marked, so that a resumed run recognises them.
 */
function isReplayed({ isLlmAgent, parentAgent, transfer }: BaseAgentNode): boolean {
  return !isLlmAgent || parentAgent?.isLlmAgent === false || transfer.isCalled;
}

function failureOf(
  hook: string,
  error: unknown,
  { name: author, path }: BaseAgentNode,
  invocation: InvocationContext,
  actions: Partial<EventActions> | undefined,
): Event {
  invocation.services.logger.error(`the callback ${hook} failed`, { agent: path, error });
  const { code: errorCode = 'CALLBACK_FAILED', message: errorMessage } = describeThrown(error);
  return invocation.event({ author, errorCode, errorMessage, turnComplete: true, actions });
}
