import type { EventSink } from '../events/event-sink.js';
import { toolScope } from '../events/event-place.js';
import { type AgentNode, successorPath } from './agent-node.js';
import type { AgentResult } from './agent-result.js';
import { failedResult, runAgent, runTracked } from './agent-run.js';
import type { Performed } from './emit-events.js';
import { InvocationCancelledError } from './cancellation.js';
import { InvocationContext, type ToolRun } from './invocation-context.js';
import { withdrawCalls } from './withdraw-calls.js';

/**
 * Runs the agent that takes over from an LLM agent.
 *
 * @param index of the recorded transfer, if the run that transfers was resumed
 */
export function runSuccessor(
  context: InvocationContext,
  successor: AgentNode,
  sink: EventSink,
  index?: number,
): Promise<Performed> {
  const { invocation, branch } = context;
  const path = successorPath(context, successor);
  const last = index === undefined ? undefined : invocation.replay?.lastIndex(path);
  const isResumed = index !== undefined && last !== undefined && last > index;
  return runAgent(
    new InvocationContext(invocation, { agent: successor, path, branch, isResumed, from: context }),
    sink,
  );
}

/** The call that runs an agent as a tool. */
export interface CallPlace {
  readonly functionCallId: string;
  readonly functionCallEventId: string;
}

/**
 * Runs an agent as a tool of an LLM agent. The agent sees only its request, not the conversation around it.
 *
 * @returns undefined if it waits for an answer
 * @throws {InvocationCancelledError} once its calls have been answered, if it was cancelled
 */
export async function invokeTool(
  context: InvocationContext,
  agent: AgentNode,
  { functionCallId, functionCallEventId }: CallPlace,
  input: string,
  sink: EventSink,
): Promise<AgentResult<unknown> | undefined> {
  const { invocation, branch: outer } = context;
  const scope = toolScope(functionCallEventId, functionCallId);
  const recorded = invocation.replay?.runOfTool(scope);
  const path = recorded?.path ?? context.progress.pathOfTool(agent.name);
  const branch = outer === undefined ? functionCallId : `${outer}.${functionCallId}`;
  const toolRun: ToolRun = { scope, invocationId: `${context.invocationId}.sub.${agent.name}` };
  const isResumed = recorded !== undefined;
  const place = { agent, path, branch, isResumed, from: context, input, toolRun };
  const inner = new InvocationContext(invocation, place);
  const result = await runTracked(inner, sink);
  if (result) return result;
  if (context.cancellation.isCancelled) {
    await withdrawCalls(inner, sink, new InvocationCancelledError().message);
    throw InvocationCancelledError.duringCall();
  }
  // A call that waits for a person can still be answered; then the budget ends the run.
  return inner.spent && !inner.isWaiting ? failedResult(path, inner.spent) : undefined;
}
