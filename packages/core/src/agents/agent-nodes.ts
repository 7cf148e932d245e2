import type { CallbackChain } from '../gates/callbacks/callback-chain.js';
import type { ToolDispatcher } from '../gates/tool-dispatcher.js';
import { describeThrown } from '@adorn/schema';
import type { EventActions } from '../events/event-actions.js';
import type { EventSink } from '../events/event-sink.js';
import type { Event } from '../events/event.js';
import type { AgentNode, AgentOutput, TransferPolicy } from '../run/agent-node.js';
import { eventChange, hasStopped, lastEvent, treeChange } from '../run/agent-run.js';
import { emitEvents, isStopEvent, type Performed, stopEvent } from '../run/emit-events.js';
import { AgentContext } from '../run/agent-context.js';
import { recordedSpending } from '../run/budget.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { MADE_BY_CALLBACK } from '../run/replay.js';
import { sharedBase, shareClass } from '../metadata/shared-class.js';
import type { Model } from '../models/model.js';
import type { ToolTable } from '../tools/tool-table.js';
import { ToolContext } from '../tools/tool-context.js';
import type { ClosedTools } from '../tools/closed-tools.js';
import type { Toolset } from '../tools/toolsets/toolset.js';
import { nameOfToolset } from '../tools/toolsets/wrapped.toolset.js';
import type { ModelRequestPlan } from '../turn/model-request.js';
import { OpenTurn } from '../turn/open-turn.js';
import type { CallSource } from '../turn/step.js';
import { listToolsets } from '../turn/list-toolsets.js';
import { readStructuredOutput } from '../turn/structured-output.js';
import type { PlannedAgent, LlmSettings } from '../turn/turn-agent.js';
import { newTurn, runTurns } from '../turn/turn-loop.js';
import type { AgentClass } from './agent.decorator.js';
import type { BaseAgent } from './base.agent.js';
import { LlmAgent } from './llm.agent.js';
import { workflowOf } from './workflow/workflow.agent.js';

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
  readonly actsOnEscalation: boolean;
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
    this.actsOnEscalation = actsOnEscalation(definition);
  }

  perform(context: InvocationContext, sink: EventSink): Promise<Performed> {
    const { beforeAgent, afterAgent } = this.callbacks;
    return beforeAgent === undefined && afterAgent === undefined
      ? this.run(context, sink)
      : performWithCallbacks(this, context, sink);
  }

  /** The definition's own `run`. Stops if the log holds runs that it has not invoked. */
  async run(context: InvocationContext, sink: EventSink): Promise<Performed> {
    const running = this.definition.run(context);
    if (!context.isResumed || this.isLlmAgent) return emitEvents(running, sink);
    const end = await emitEvents(withoutRepeats(running, context), sink);
    const change = end === 'stopped' || hasStopped(context) ? undefined : treeChange(context);
    if (change === undefined) return end;
    await sink.emit(change);
    return 'stopped';
  }
}

/** True for a loop, and for an agent with a `run` of its own: it reads `escalated` of a result. */
function actsOnEscalation(definition: BaseAgent<unknown>): boolean {
  if (definition instanceof LlmAgent) return false;
  return workflowOf(definition.constructor as AgentClass<unknown>)?.actsOnEscalation ?? true;
}

/** The node of an `LlmAgent`: the model, tools and requests are filled in once its place in the tree is known. */
export class LlmAgentNode extends BaseAgentNode implements PlannedAgent {
  static {
    shareClass(this, 'LlmAgentNode');
  }

  override readonly isLlmAgent = true;
  model!: Model;
  /** The instruction, model, limits and other settings of its requests. Assigned when the tree is built. */
  turn!: LlmSettings;
  /** Runs the calls of its tools through the gates. */
  dispatcher!: ToolDispatcher;
  /** Its own tools, without those of toolsets. */
  tools!: ToolTable;
  /** Listed before each request of the agent. */
  toolsets!: readonly Toolset[];
  boxes!: readonly ClosedTools[];
  /** Builds the requests to the model. */
  requests!: ModelRequestPlan;
  /** What makes the calls in place of the model. Default: the model makes them. */
  callSource: CallSource | undefined = undefined;

  get isScripted(): boolean {
    return this.callSource !== undefined;
  }

  /** Only with tools of its own, which return results, and not where each turn begins without the one before. */
  get readsResults(): boolean {
    const { tools, toolsets, turn } = this;
    if (turn.includeContents === 'none') return false;
    return toolsets.length > 0 || tools.readsResults;
  }

  /** True if the class has a `run` of its own. */
  private readonly hasOwnRun = this.definition.run !== sharedBase(LlmAgent, this.definition).prototype.run;

  override run(context: InvocationContext, sink: EventSink): Promise<Performed> {
    if (this.hasOwnRun) return super.run(context, sink);
    const live = context.isLive ? context.invocation.live : undefined;
    return live && !this.transfer.isCalled
      ? live.perform(this, context, sink)
      : runTurns(this, context, sink);
  }

  /** The turn of the agent in a session whose model stays connected. */
  openTurn(context: InvocationContext, sink: EventSink): OpenTurn {
    return new OpenTurn(newTurn(this, context, sink), this.definition as LlmAgent);
  }

  /** The tools of the agent and its toolsets, and the names of the toolsets that need a credential of the user first. */
  async listTools(context: InvocationContext): Promise<{ tools: ToolTable; locked: readonly string[] }> {
    const { tools, unauthorised } = await listToolsets(this, context);
    return { tools, locked: unauthorised.map(nameOfToolset) };
  }

  /** The tools of the agent and its toolsets for a call, and the toolsets that cannot be listed, each with the reason. */
  async listClosed(context: ToolContext): Promise<{ table: ToolTable; unavailable: readonly string[] }> {
    const {
      tools: table,
      unauthorised,
      failures,
    } = await listToolsets(this, ToolContext.invocationOf(context));
    const locked = unauthorised.map((toolset) => `${nameOfToolset(toolset)} needs a credential of the user.`);
    return { table, unavailable: [...locked, ...failures.map(({ message }) => message)] };
  }

  readOutput(text: string): Promise<AgentOutput> {
    return readStructuredOutput(this.turn, text);
  }
}

/** Drops the events that a repeated `run` yields again: they are in the log. Stops at one that differs from the log. */
async function* withoutRepeats(
  running: AsyncGenerator<Event, void, undefined>,
  context: InvocationContext,
): AsyncGenerator<Event, void, undefined> {
  for await (const event of running) {
    if (isStopEvent(event) || !context.isRepeated(event)) {
      yield event;
      continue;
    }
    const change = eventChange(context);
    if (change === undefined) continue;
    yield change;
    yield stopEvent(context);
  }
}

/**
 * Runs an agent with its callbacks. If `beforeAgent` returns an answer, the agent does not run. A resumed run does
 * not call `beforeAgent` again, unless only the input of the run was stored.
 */
async function performWithCallbacks(
  agent: BaseAgentNode,
  context: InvocationContext,
  sink: EventSink,
): Promise<Performed> {
  if (context.isResumed && endedByCallback(agent, context)) return 'done';
  const before = hasBegun(context) ? NO_REPLACEMENT : await replacementOf('beforeAgent', agent, context);
  if (before.event !== undefined) await sink.emit(before.event);
  if (before.isLast) return 'done';
  const end = await agent.run(context, sink);
  if (end === 'stopped' || hasStopped(context)) return end;
  const after = await replacementOf('afterAgent', agent, context);
  if (after.event !== undefined) await sink.emit(after.event);
  return 'done';
}

/** True if the agent, or an agent below it, had made an event before the pause or the crash. */
function hasBegun({ isResumed, invocation, path }: InvocationContext): boolean {
  return isResumed && invocation.replay?.lastStepWithin(path, -1) !== undefined;
}

/** True if a callback had given the last answer or had failed, and the process died before the end of the run was stored. */
function endedByCallback({ isLlmAgent }: BaseAgentNode, { lastStep }: InvocationContext): boolean {
  if (lastStep === undefined) return false;
  const { content, customMetadata, errorCode } = lastStep.event;
  const hook = customMetadata?.[MADE_BY_CALLBACK];
  // Earlier versions did not mark failures. A composite has no callbacks around a model.
  if (hook === undefined) return !isLlmAgent && errorCode === 'CALLBACK_FAILED';
  return hook === 'afterAgent' || (hook === 'beforeAgent' && (content ?? errorCode) !== undefined);
}

interface CallbackReplacement {
  /** The event with the callback's answer, state changes or error; undefined if there are none. */
  readonly event?: Event | undefined;
  /** True if the agent does not run after it. */
  readonly isLast: boolean;
}

const NO_REPLACEMENT: CallbackReplacement = Object.freeze({ isLast: false });

/** Never rejects: a callback that fails ends its agent's turn with an event, as a model that fails does. */
async function replacementOf(
  hook: 'beforeAgent' | 'afterAgent',
  agent: BaseAgentNode,
  invocation: InvocationContext,
): Promise<CallbackReplacement> {
  const callback = agent.callbacks[hook];
  if (callback === undefined) return NO_REPLACEMENT;
  const context = new AgentContext(invocation, agent);
  try {
    const content = (await invocation.cancellation.wait(callback(context))) ?? undefined;
    context.close();
    const actions = context.drainActions();
    const spending = recordedSpending(context.spending);
    if (content === undefined && actions === undefined && spending === undefined) return NO_REPLACEMENT;
    const customMetadata = { ...spending, [MADE_BY_CALLBACK]: hook };
    const body = { author: agent.name, content, actions, customMetadata };
    const isLast = hook === 'afterAgent' || content !== undefined;
    return { event: isLast ? lastEvent(invocation, body) : invocation.event(body), isLast };
  } catch (error) {
    // The runner says that the run was cancelled.
    if (invocation.cancellation.isCancelled) return { isLast: true };
    return { event: failureOf(hook, error, agent, invocation, context.drainActions()), isLast: true };
  } finally {
    context.close();
  }
}

function failureOf(
  hook: 'beforeAgent' | 'afterAgent',
  error: unknown,
  { name: author, path }: BaseAgentNode,
  invocation: InvocationContext,
  actions: Partial<EventActions> | undefined,
): Event {
  invocation.services.logger.error(`the callback ${hook} failed`, { agent: path, error });
  const { code: errorCode = 'CALLBACK_FAILED', message: errorMessage } = describeThrown(error);
  const customMetadata = { [MADE_BY_CALLBACK]: hook };
  return lastEvent(invocation, {
    author,
    errorCode,
    errorMessage,
    turnComplete: true,
    actions,
    customMetadata,
  });
}
