import type { FunctionDeclaration } from '../events/genai-types.js';
import type { Event } from '../events/event.js';
import type { AgentNode } from '../run/agent-node.js';
import { type AgentResult, failureText } from '../run/agent-result.js';
import { invokeTool } from '../run/delegation.js';
import { shareClass } from '../metadata/shared-class.js';
import type { Awaitable } from '../runtime/awaitable.js';
import {
  ANY,
  type Arguments,
  BOOLEAN,
  isObject,
  type OptionFault,
  optionFault,
  type OptionRules,
  rule,
  shown,
  TEXT,
} from '@adorn/schema';
import { toolOptionsFault } from '../tools/check-tool-options.js';
import { ToolConfigInvalidError } from '../tools/errors.js';
import { type Confirmation, toConfirmation } from '../tools/tool-requests.js';
import type { ToolContext } from '../tools/tool-context.js';
import { type AgentCaller, Tool } from '../tools/tool.js';
import type { BackgroundOptions } from '../tools/tool-traits.js';
import type { AgentClass } from './agent.decorator.js';

/** How an agent is offered as a tool. */
export interface AgentToolOptions {
  /** The name that the model calls. Default: the agent's name. */
  readonly name?: string;
  /** The description shown to the model. Default: the agent's description. */
  readonly description?: string;
  /**
   * Uses the agent's answer as the answer of the calling agent, whose model is not called again, unless the agent has
   * failed. Default: false.
   */
  readonly skipSummarization?: boolean;
  /** Asks a person before each run; a text is the hint. Default: false. */
  readonly confirm?: boolean | string;
  /** Runs the agent beside the turn of the calling agent: see the trait `background` of a tool. Default: false. */
  readonly background?: boolean | BackgroundOptions;
}

const OPTIONS: OptionRules<AgentToolOptions> = {
  name: TEXT,
  description: TEXT,
  skipSummarization: BOOLEAN,
  confirm: rule(
    (value) => typeof value === 'boolean' || typeof value === 'string',
    'Pass true, false or a hint.',
  ),
  // Checked as the trait of a tool.
  background: ANY,
};

/** The options of `agentTool`. */
export const AGENT_TOOL_OPTION_NAMES: ReadonlySet<string> = new Set(Object.keys(OPTIONS));

/**
 * The first fault of the options of `agentTool`: one that does not exist, or has an invalid value.
 *
 * @param unknown the options that are set to something that is not known, and are not checked. Default: all are known
 */
export function agentToolOptionsFault(
  options: object,
  unknown?: ReadonlySet<string>,
): OptionFault | undefined {
  const { background }: AgentToolOptions = options;
  return optionFault(options, OPTIONS, unknown) ?? toolOptionsFault({ background }, unknown);
}

const EXAMPLE = 'Pass an object, such as { confirm: true }.';

/** An agent class with the options of its tool. */
export class AgentToolSource {
  static {
    shareClass(this, 'AgentToolSource');
  }

  constructor(
    /** The agent class that runs as a tool. */
    readonly target: AgentClass<unknown>,
    /** As passed to `agentTool`; no option is replaced by its default yet. */
    readonly options: AgentToolOptions,
  ) {}

  /** The tool for the agent in its place in the tree, whose own tools are ready. */
  toolOf(node: AgentNode): Tool {
    return new AgentTool(node, this.options);
  }
}

/**
 * Offers an agent as a tool: the model asks it with one text, `request`, and gets `{ text }`, or the parsed answer of
 * an agent with an `outputSchema`. If the agent, or one of those that it ran in parallel, has failed, the model also gets
 * `error`. An agent class among `tools` is the same without options.
 *
 * The agent sees only its request, not the conversation around it. It shares state, artifacts, budget and
 * cancellation with the calling agent. If it waits for a person, the call waits too.
 *
 * @throws {AdornError} `TOOL_CONFIG_INVALID` for an option that does not exist or has an invalid value
 */
export function agentTool(target: AgentClass<unknown>, options: AgentToolOptions = {}): AgentToolSource {
  const given: unknown = options;
  if (!isObject(given))
    throw new ToolConfigInvalidError(undefined, `the options of agentTool are ${shown(given)}`, EXAMPLE);
  const wrong = agentToolOptionsFault(options);
  if (wrong) throw new ToolConfigInvalidError(options.name, wrong.fault, wrong.cure);
  return new AgentToolSource(target, options);
}

/** Runs an agent and returns what it says. */
export class AgentTool extends Tool {
  readonly name: string;
  readonly description: string;

  constructor(
    private readonly agent: AgentNode,
    private readonly options: AgentToolOptions,
    maxResultBytes?: number,
  ) {
    const { name = agent.name, description = agent.description, background = false } = options;
    // A run that resumes after a crash continues from the agent's events, so the call may be repeated.
    super({ name, timeout: Infinity, idempotent: true, background, maxResultBytes });
    this.name = name;
    this.description = description;
  }

  declaration(): FunctionDeclaration {
    return {
      name: this.name,
      description: this.description,
      parametersJsonSchema: {
        type: 'object',
        properties: { request: { type: 'string', description: 'What the agent is asked to do.' } },
        required: ['request'],
        additionalProperties: false,
      },
    };
  }

  override get asksByArguments(): boolean {
    return false;
  }

  override async confirmation(): Promise<Confirmation | undefined> {
    return toConfirmation(this.options.confirm ?? false, this.name);
  }

  run(): never {
    throw new TypeError(
      `The tool "${this.name}" runs an agent, so it can only be called in a run of a runner.`,
    );
  }

  /** Runs the agent, and returns what the calling model reads. If the agent waits for a person, so does the call. */
  override async runAgent(args: Arguments, context: ToolContext, caller: AgentCaller): Promise<unknown> {
    const { invocation } = caller;
    const emit = async (made: Event): Promise<void> => {
      const event = await invocation.store(made);
      if (event.pending.length > 0 || invocation.config.showToolAgents) await caller.emit(event);
    };
    const result = await invokeTool(invocation, this.agent, context, this.requestIn(args), { emit });
    if (result) return this.responseTo(result, context);
    throw context.waitForAgent();
  }

  /** The message to the agent. */
  protected requestIn({ request }: Arguments): string {
    return String(request);
  }

  /** What the calling model reads of the result. */
  protected responseTo(result: AgentResult<unknown>, context: ToolContext): Awaitable<unknown> {
    const { texts, output, results } = result;
    const text = texts.join('\n');
    const error = failureText(result);
    if (error !== undefined) return { text, error };
    if (this.options.skipSummarization === true) context.actions.skipSummarization = true;
    return typeof output === 'object' && output !== null && !results ? output : { text };
  }
}
