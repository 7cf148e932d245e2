/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-unused-vars -- the callbacks are declared once; each is optional, so the class promises nothing that it lacks. Interfaces that are merged need the same type parameters */
import type { AgentCallbacks } from '../gates/callbacks/agent-callbacks.js';
import type { Event } from '../events/event.js';
import { EmittedEvents, type Performed } from '../run/emit-events.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { shareClass } from '../metadata/shared-class.js';
import type { Model } from '../models/model.js';
import type { LiveCallbacks } from '../turn/live-callbacks.js';
import type { Instruction, PlannedAgent } from '../turn/turn-agent.js';
import { runTurns } from '../turn/turn-loop.js';
import { BaseAgent } from './base.agent.js';

/** The names of the tools of an agent. */
export interface AgentToolNames {
  /** Of its own tools, of those it lists, and of those in toolboxes. */
  readonly names: readonly string[];
  /** False if it has toolsets, which list further tools before each request. */
  readonly isComplete: boolean;
}

/**
 * An agent that calls a model and runs the tools that the model calls.
 *
 * @typeParam Output the type of its `outputSchema`: `class Reporter extends LlmAgent<Report>`. Default: text.
 */
export abstract class LlmAgent<Output = string> extends BaseAgent<Output> {
  static {
    shareClass(this, 'LlmAgent');
  }

  /** The agent's instruction. Takes precedence over the option of `@agent`. */
  declare instruction?: Instruction;

  /**
   * Models that its callbacks ask besides its own (`context.askModel`), or their names. They are found when the runner is
   * created. The option `model` of `createRunner` replaces them too.
   */
  declare readonly otherModels?: readonly (Model | string)[];

  run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    const agent = context.agent as PlannedAgent;
    const turns = new EmittedEvents<Performed>(context, async (sink) => {
      const end = await runTurns(agent, context, sink);
      return end === 'stopped' ? undefined : end;
    });
    return turns as unknown as AsyncGenerator<Event, void, undefined>;
  }
}

/** The callbacks, each of which a subclass may have as a method. */
export interface LlmAgent<Output = string> extends AgentCallbacks, LiveCallbacks {
  /**
   * Called when the runner is created, with the tools of the agent: for an agent that names some of them. What it throws
   * rejects `createRunner`.
   */
  checkTools?(tools: AgentToolNames): void;
}
