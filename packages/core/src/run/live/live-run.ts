import type { EventSink } from '../../events/event-sink.js';
import type { FunctionResponse } from '../../events/genai-types.js';
import type { ChangedResponses } from '../../events/responses-for-model.js';
import type { AgentNode } from '../agent-node.js';
import type { Performed } from '../emit-events.js';
import type { InvocationContext } from '../invocation-context.js';
import type { LiveInputSource } from './live-input.js';

/** The live session of a run, as its agents and tools see it. `@adorn/live` has the session. */
export interface LiveRun {
  /** What the user sends, for the tools that read it. */
  readonly heard: LiveInputSource;
  /** Runs an LLM agent's part of the session, in place of its turns with a text model. */
  perform(agent: AgentNode, context: InvocationContext, sink: EventSink): Promise<Performed>;
  /** What the callbacks of the agent that speaks make of results that come from outside. */
  changeResponses(responses: readonly FunctionResponse[]): Promise<ChangedResponses | undefined>;
}
