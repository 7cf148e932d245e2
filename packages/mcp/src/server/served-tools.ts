import { randomUUID } from 'node:crypto';

import {
  type AgentClass,
  createRunner,
  defineAgent,
  type JsonSchema,
  type Runner,
  type ToolSource,
  type ToolTraits,
} from '@adorn/core';
import { isAgentClass } from '@adorn/core/backend';
import type { CallToolResult, ServerContext, Tool } from '@modelcontextprotocol/server';

import { type AnswersOfClient, CHANNEL } from './answers-of-client.js';
import { callResult, errorResult, unansweredText } from './call-result.js';
import type { ClientAddress } from './conversations.js';
import { withCaller } from './mcp-caller.js';
import { ServedCall } from './served-call.js';
import type { ServeMcpOptions } from './serve-options.js';

/** One call as a client asked for it. */
export interface ClientCall extends ClientAddress {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly context: ServerContext;
  readonly answers: AnswersOfClient;
}

/** What is served as tools: those of services, or one agent. */
export interface ServedTools {
  readonly runner: Runner<unknown>;
  list(address: ClientAddress, signal: AbortSignal): Promise<Tool[]>;
  call(call: ClientCall): Promise<CallToolResult>;
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
  private constructor(readonly runner: Runner<unknown>) {}

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
    return new ServedServices(await createRunner(Caller, { ...options.runner, appName: name }));
  }

  async list(address: ClientAddress, signal: AbortSignal): Promise<Tool[]> {
    const tools = await this.runner.tools({ ...address, signal });
    return tools.map((tool) => {
      const { description = '', parametersJsonSchema } = tool.declaration() ?? {};
      return {
        name: tool.name,
        description,
        inputSchema: inputSchemaOf(parametersJsonSchema as JsonSchema | undefined),
        annotations: annotationsOf(tool.traits),
      };
    });
  }

  async call({ name, args, context, answers, ...address }: ClientCall): Promise<CallToolResult> {
    const { runner } = this;
    const callId = `mcp-${randomUUID()}`;
    const { signal } = context.mcpReq;
    return withCaller(callId, context, async () => {
      const by = { by: address.userId, channel: CHANNEL };
      const run = runner.call({ ...address, ...by, tool: name, args, callId, signal });
      const outcome = await new ServedCall({ runner, context, answers }).settle(run);
      const response = responseIn(outcome.result.events, callId);
      // The response to a long-running call says how its result is found.
      const isWaiting = outcome.unanswered !== undefined && outcome.unanswered.kind !== 'result';
      return isWaiting || response === undefined
        ? errorResult(unansweredText(outcome))
        : callResult(response);
    });
  }
}

/** One agent, as a tool that takes a message. */
class ServedAgent implements ServedTools {
  private constructor(readonly runner: Runner<unknown>) {}

  static async create(agent: AgentClass<unknown>, options: ServeMcpOptions): Promise<ServedAgent> {
    return new ServedAgent(await createRunner(agent, { ...options.runner }));
  }

  list(): Promise<Tool[]> {
    const { name, description } = this.runner.root;
    return Promise.resolve([{ name, description, inputSchema: MESSAGE }]);
  }

  async call({ name, args, context, answers, ...address }: ClientCall): Promise<CallToolResult> {
    const { runner } = this;
    const { message } = args;
    if (name !== runner.root.name)
      return errorResult(`There is no tool "${name}". There is: ${runner.root.name}.`);
    if (typeof message !== 'string' || message === '')
      return errorResult('The argument "message" is no text. Pass the message to the agent.');
    const run = runner.run({ ...address, message, signal: context.mcpReq.signal });
    const outcome = await new ServedCall({ runner, context, answers }).settle(run);
    const { status, output, text } = outcome.result;
    if (status !== 'answered') return errorResult(unansweredText(outcome));
    return callResult(typeof output === 'object' && output !== null ? { ...output } : { result: text });
  }
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

function inputSchemaOf(schema: JsonSchema = {}): Tool['inputSchema'] {
  return { ...schema, type: 'object' };
}

function annotationsOf({ effect, idempotent }: ToolTraits): Tool['annotations'] {
  if (effect === undefined) return undefined;
  return {
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destructive',
    ...(idempotent === true && { idempotentHint: true }),
  };
}
