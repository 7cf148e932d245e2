import { randomUUID } from 'node:crypto';

import {
  type AgentClass,
  createRunner,
  defineAgent,
  type JsonSchema,
  LlmAgentNode,
  type Runner,
  type Tool as CoreTool,
  Toolset,
  type ToolsetContext,
  withFilter,
  type ToolSource,
  type ToolTraits,
} from '@adorn/core';
import { isAgentClass } from '@adorn/core/backend';
import type { CallToolResult, ServerContext, Tool } from '@modelcontextprotocol/server';

import type { AnswersOfClient } from './answers-of-client.js';
import { callResult, errorResult, unansweredText } from './call-result.js';
import { withCaller } from './mcp-caller.js';
import { RelayModel } from './relay.model.js';
import { ServedCall } from './served-call.js';
import type { ServeMcpOptions } from './serve-options.js';

/** The conversation of one client. */
export interface ClientAddress {
  readonly userId: string;
  readonly sessionId: string;
}

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
  list(address: ClientAddress): Promise<Tool[]>;
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
  private constructor(
    readonly runner: Runner<unknown>,
    private readonly relay: RelayModel,
    /** The traits of the tools of toolsets, while they are listed for a client, by its session. */
    private readonly listings: Map<string, Map<string, ToolTraits>>,
  ) {}

  static async create(
    name: string,
    tools: readonly ToolSource[],
    options: ServeMcpOptions,
  ): Promise<ServedServices> {
    const relay = new RelayModel();
    const listings = new Map<string, Map<string, ToolTraits>>();
    const noteTraits = ({ name: tool, traits }: CoreTool, { sessionId }: ToolsetContext): boolean => {
      listings.get(sessionId)?.set(tool, traits);
      return true;
    };
    const Relay = defineAgent({
      name: 'mcp_server',
      description: 'Makes the calls of MCP clients.',
      model: relay,
      tools: tools.map((source) => (source instanceof Toolset ? withFilter(source, noteTraits) : source)),
      includeContents: 'none',
    });
    const runner = await createRunner(Relay, { ...options.runner, appName: name });
    return new ServedServices(runner, relay, listings);
  }

  async list(address: ClientAddress): Promise<Tool[]> {
    const listed = new Map<string, ToolTraits>();
    this.listings.set(address.sessionId, listed);
    const { config } = await this.runner.explain({ ...address, message: 'list' }).finally(() => {
      this.listings.delete(address.sessionId);
    });
    const declarations = (config.tools ?? []).flatMap((tool) =>
      'functionDeclarations' in tool ? (tool.functionDeclarations ?? []) : [],
    );
    return declarations.map(({ name = '', description = '', parametersJsonSchema }) => ({
      name,
      description,
      inputSchema: inputSchemaOf(parametersJsonSchema as JsonSchema | undefined),
      annotations: annotationsOf(listed.get(name) ?? this.traitsOf(name)),
    }));
  }

  async call({ name, args, context, answers, ...address }: ClientCall): Promise<CallToolResult> {
    const { runner, relay } = this;
    const call = { id: `mcp-${randomUUID()}`, name, args };
    const { signal } = context.mcpReq;
    try {
      return await withCaller(call.id, context, async () => {
        const run = runner.run({ ...address, message: relay.messageFor(call), signal });
        const outcome = await new ServedCall({ runner, context, answers }).settle(run);
        if (outcome.unasked !== undefined) return errorResult(outcome.unasked);
        const response = responseIn(outcome.result.events, call.id);
        return outcome.unanswered === undefined && response !== undefined
          ? callResult(response)
          : errorResult(unansweredText(outcome));
      });
    } finally {
      relay.forget(call);
    }
  }

  /** The traits of a tool that is known before a client asks. */
  private traitsOf(name: string): ToolTraits {
    const { root } = this.runner;
    return root instanceof LlmAgentNode ? (root.tools.find(name)?.tool.traits ?? {}) : {};
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
