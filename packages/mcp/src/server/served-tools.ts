import { sessionCompaction } from '@adorn/compaction';
import {
  type AgentClass,
  createRunner,
  type CreateRunnerOptions,
  defineAgent,
  type JsonSchema,
  type Run,
  type Runner,
  Tool as CoreTool,
  type Toolset,
} from '@adorn/core';
import {
  isAgentClass,
  LlmAgentNode,
  type Principal,
  type ToolSource,
  type ToolTraits,
} from '@adorn/core/backend';
import { toolPolicies } from '@adorn/policies';
import type { CallToolResult, ServerContext, Tool } from '@modelcontextprotocol/server';

import { McpTool } from '../toolset/mcp.tool.js';
import type { AnswersOfClient } from './answers-of-client.js';
import { callResult, errorResult, unansweredText } from './call-result.js';
import { CHANNEL } from './client-questions.js';
import type { ClientAddress } from './conversations.js';
import { withCaller } from './mcp-caller.js';
import { ServedCall, type ServedOutcome } from './served-call.js';
import type { ServeMcpOptions } from './serve-options.js';

/** One call as a client asked for it. */
export interface ClientCall extends ClientAddress {
  /** Who sent it, as `authenticate` says. */
  readonly by: Principal;
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly context: ServerContext;
  /** Absent if the client is asked with the result, and answers with its next call. */
  readonly answers?: AnswersOfClient | undefined;
  /** The id of the call in the log. */
  readonly callId: string;
  /** The run that follows an answer to an earlier one of the call. */
  readonly continued?: Run<unknown> | undefined;
}

/** The result of a call, and what it waits for. */
export interface ServedResult extends Pick<ServedOutcome, 'unanswered'> {
  readonly result: CallToolResult;
}

/** The tools that are served: those of services, or one agent. */
export interface ServedTools {
  readonly runner: Runner<unknown>;
  list(address: ClientAddress, signal: AbortSignal): Promise<Tool[]>;
  /** Calls a listener when a toolset reports a changed list, until the runner is closed. */
  onChange(listener: () => void): void;
  call(call: ClientCall): Promise<ServedResult>;
}

/** Creates the runner that executes the calls of clients. */
export function createServedTools(
  source: AgentClass<unknown> | ToolSource | readonly ToolSource[],
  options: ServeMcpOptions,
): Promise<ServedTools> {
  const name = options.name ?? 'adorn';
  if (isAgentClass(source)) return ServedAgent.create(source, options);
  return ServedServices.create(
    name,
    Array.isArray(source) ? (source as ToolSource[]) : [source as ToolSource],
    options,
  );
}

/** Services, toolsets and tools, each of whose tools is one of the server's. */
class ServedServices implements ServedTools {
  private constructor(
    readonly runner: Runner<unknown>,
    private readonly toolsets: readonly Toolset[],
  ) {}

  static async create(
    name: string,
    tools: readonly ToolSource[],
    options: ServeMcpOptions,
  ): Promise<ServedServices> {
    const Caller = defineAgent({
      name: 'mcp_server',
      description: 'Makes the calls of MCP clients.',
      model: null,
      tools,
    });
    const runner = await createRunner(Caller, { ...wiringOf(options), appName: name });
    return new ServedServices(runner, toolsetsOf(runner));
  }

  onChange(listener: () => void): void {
    for (const toolset of this.toolsets) toolset.onChange(listener);
  }

  async list(address: ClientAddress, signal: AbortSignal): Promise<Tool[]> {
    const tools = await this.runner.tools({ ...address, signal });
    return tools.map((tool) => {
      const { description = '', parametersJsonSchema } = tool.declaration() ?? {};
      return {
        name: tool.name,
        description,
        inputSchema: inputSchemaOf(parametersJsonSchema as JsonSchema | undefined),
        ...hintsOf(tool),
      };
    });
  }

  async call(call: ClientCall): Promise<ServedResult> {
    const { runner } = this;
    const { name, args, callId, context, answers, userId, sessionId, by } = call;
    const { signal } = context.mcpReq;
    return withCaller(callId, context, async () => {
      const input = { userId, sessionId, by, channel: CHANNEL, signal };
      const run = call.continued ?? runner.call({ ...input, tool: name, args, callId });
      const outcome = await new ServedCall({ runner, context, callId, answers }).settle(run);
      const response = responseIn(outcome.result.events, callId);
      // The response to a long-running call says how its result is found.
      const isWaiting = outcome.unanswered !== undefined && outcome.unanswered.kind !== 'result';
      const result =
        isWaiting || response === undefined ? errorResult(unansweredText(outcome)) : callResult(response);
      return { result, unanswered: outcome.unanswered };
    });
  }
}

function wiringOf({ runner = {} }: ServeMcpOptions): CreateRunnerOptions {
  return { ...runner, modules: [...(runner.modules ?? []), toolPolicies, sessionCompaction] };
}

/** One agent, as a tool that takes a message. */
class ServedAgent implements ServedTools {
  private constructor(readonly runner: Runner<unknown>) {}

  static async create(agent: AgentClass<unknown>, options: ServeMcpOptions): Promise<ServedAgent> {
    return new ServedAgent(await createRunner(agent, wiringOf(options)));
  }

  onChange(): void {
    // The one tool is the agent.
  }

  list(): Promise<Tool[]> {
    const { name, description } = this.runner.root;
    return Promise.resolve([{ name, description, inputSchema: MESSAGE }]);
  }

  async call(call: ClientCall): Promise<ServedResult> {
    const { runner } = this;
    const { name, args, callId, context, answers, userId, sessionId, by } = call;
    const { message } = args;
    const { signal } = context.mcpReq;
    if (name !== runner.root.name)
      return refused(`There is no tool "${name}". There is: ${runner.root.name}.`);
    if (typeof message !== 'string' || message === '')
      return refused('The argument "message" is no text. Pass the message to the agent.');
    const input = { userId, sessionId, by, channel: CHANNEL, signal };
    const run = call.continued ?? runner.run({ ...input, message });
    const outcome = await new ServedCall({ runner, context, callId, answers }).settle(run);
    const { status, output, text } = outcome.result;
    if (status !== 'answered')
      return { result: errorResult(unansweredText(outcome)), unanswered: outcome.unanswered };
    const answer = typeof output === 'object' && output !== null ? { ...output } : { result: text };
    return { result: callResult(answer), unanswered: outcome.unanswered };
  }
}

function refused(text: string): ServedResult {
  return { result: errorResult(text), unanswered: undefined };
}

const MESSAGE: Tool['inputSchema'] = {
  type: 'object',
  properties: { message: { type: 'string', description: 'The message to the agent.' } },
  required: ['message'],
};

/** The last response to a call: an earlier one says that somebody has to be asked. */
function responseIn(
  events: Awaited<ReturnType<ServedCall['settle']>>['result']['events'],
  callId: string,
): Record<string, unknown> | undefined {
  const responses = events.flatMap(({ functionResponses }) => functionResponses);
  return responses.findLast(({ id }) => id === callId)?.response;
}

/** Without the arguments that a client would send as headers too: they would have to be compared with the body. */
function inputSchemaOf(schema: JsonSchema = {}): Tool['inputSchema'] {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'x-mcp-header' && typeof value === 'string' ? undefined : value,
  );
  return { ...(JSON.parse(text) as JsonSchema), type: 'object' };
}

function toolsetsOf({ root }: Runner<unknown>): readonly Toolset[] {
  return root instanceof LlmAgentNode ? root.toolsets : [];
}

/** What a client is told of a tool besides its declaration. A tool of another MCP server has the hints of that one. */
function hintsOf(tool: CoreTool): Pick<Tool, 'title' | 'annotations'> {
  const inner = innermostOf(tool);
  const { title, isOpenWorld } =
    inner instanceof McpTool ? inner.remote : { title: undefined, isOpenWorld: tool.traits.outside };
  const annotations = {
    ...annotationsOf(tool.traits),
    ...(isOpenWorld !== undefined && { openWorldHint: isOpenWorld }),
  };
  return {
    ...(title !== undefined && { title }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

/** The tool inside all wrappers. */
function innermostOf(tool: CoreTool): CoreTool {
  const { inner } = tool as { readonly inner?: unknown };
  return inner instanceof CoreTool ? innermostOf(inner) : tool;
}

function annotationsOf({ effect, idempotent }: ToolTraits): Tool['annotations'] {
  if (effect === undefined) return undefined;
  return {
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destructive',
    ...(idempotent === true && { idempotentHint: true }),
  };
}
