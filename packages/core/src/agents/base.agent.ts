/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars, @typescript-eslint/no-unnecessary-type-parameters -- the callbacks are declared once; each is optional, so the class promises nothing that it lacks. The output is a type alone, and interfaces that are merged need the same parameters */
import type { BaseAgentCallbacks } from '../gates/callbacks/agent-callbacks.js';
import type { Event } from '../events/event.js';
import type { OUTPUT } from '../run/agent-result.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { shareClass } from '../metadata/shared-class.js';

/**
 * An agent answers a message with events. Extend it for an agent with a custom `run`; extend `LlmAgent` for an agent
 * that calls a model.
 *
 * The instance is the agent's definition. Adorn assigns nothing to it: name, path, parent and children belong to its
 * {@link AgentNode}. There is one instance for each place in a tree, shared by all conversations.
 *
 * @typeParam Output what `runner.ask` and `run.output` resolve to. Default: the text of the answer.
 */
export abstract class BaseAgent<Output = string> {
  static {
    shareClass(this, 'BaseAgent');
  }

  /** The type that `runner.ask` resolves to. A type only; the field does not exist at run time. */
  declare readonly [OUTPUT]?: Output;

  /**
   * Yields events. Each event is stored before the next one is requested. Create events with `context.event`, and run
   * sub-agents with `yield* context.invoke(Child)`. After a pause or a crash, `run` is called again from its top; what
   * it did before is not done twice, see {@link InvocationContext.invoke}.
   */
  abstract run(context: InvocationContext): AsyncGenerator<Event, void, undefined>;
}

/** The callbacks, each of which a subclass may have as a method. */
export interface BaseAgent<Output = string> extends BaseAgentCallbacks {}
