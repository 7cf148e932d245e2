import type { Content, GenerateContentConfig, Part } from '../content/genai-types.js';
import { AdornError } from '../errors/adorn.error.js';
import { UNTRUSTED } from '../log/untrusted-results.js';
import type { ModelResponse } from '../models/model-response.js';
import type { Model } from '../models/model.js';
import type { ProviderTool } from '../tools/builtin/provider.tools.js';
import { TRANSFER_TO_AGENT } from '../tools/builtin/control-flow.tools.js';
import type { ToolTable } from '../tools/tool-table.js';
import type { Toolset } from '../toolsets/toolset.js';
import { nameOfToolset } from '../toolsets/wrapped.toolset.js';
import { SET_MODEL_RESPONSE } from './structured-answer.js';
import type { TurnAgent } from './turn-agent.js';

/**
 * The custom metadata of an answer for which the provider read external data, such as web pages: the conversation then
 * contains an untrusted result. Undefined for other answers.
 */
export function untrustedMark(
  { provided }: ToolTable,
  { content, groundingMetadata = {}, urlContextMetadata, untrustedTools }: ModelResponse,
): Record<string, unknown> | undefined {
  const isShown = content?.parts?.some((part) => part.toolResponse !== undefined) === true;
  const isGrounded = Object.keys(groundingMetadata).length > 0;
  const names = provided
    .filter(({ traits }) => traits.untrusted === true)
    .filter(({ kind }) => isShown || (kind === 'urlContext' ? urlContextMetadata !== undefined : isGrounded))
    .map(({ name }) => name);
  names.push(...serverToolsIn(content));
  if (Array.isArray(untrustedTools)) names.push(...untrustedTools.filter((name) => typeof name === 'string'));
  return names.length === 0 ? undefined : { [UNTRUSTED]: [...new Set(names)] };
}

/** True if a request has tools that the provider runs, such as a search or MCP servers. */
export function hasProviderTools({ tools }: GenerateContentConfig): boolean {
  return tools?.some((entry) => Object.keys(entry).some((kind) => kind !== 'functionDeclarations')) === true;
}

/**
 * The content with the calls that the provider has run itself as `toolCall` and `toolResponse`: their responses follow in
 * the same content. These calls are not run here.
 */
export function withProviderCalls(content: Content): Content {
  const { parts = [] } = content;
  if (!parts.some(({ functionResponse }) => functionResponse !== undefined)) return content;
  const replaced = new Map<Part, Part>();
  for (const [index, part] of parts.entries()) {
    const { functionResponse } = part;
    if (functionResponse === undefined) continue;
    const { id, name, response } = functionResponse;
    const called = parts
      .slice(0, index)
      .find(
        (one) => !replaced.has(one) && one.functionCall?.name === name && (one.functionCall?.id ?? id) === id,
      );
    if (called?.functionCall === undefined) continue;
    const { functionCall, ...fields } = called;
    const toolCall = { id, toolType: name, args: functionCall.args };
    // The names of functions are no values of the SDK's enumeration `ToolType`.
    replaced.set(called, { ...fields, toolCall } as unknown as Part);
    replaced.set(part, { toolResponse: { id, toolType: name, response } } as unknown as Part);
  }
  return { ...content, parts: parts.map((part) => replaced.get(part) ?? part) };
}

/** The names of the servers' tools whose results a content holds, as opposed to the provider's own tools. */
function serverToolsIn(content: Content | undefined): string[] {
  const types: string[] = content?.parts?.flatMap(({ toolResponse }) => toolResponse?.toolType ?? []) ?? [];
  return types.filter((type) => !PROVIDER_TOOL_TYPE.test(type));
}

/** The form of the values of `ToolType`: `GOOGLE_SEARCH_WEB`. */
const PROVIDER_TOOL_TYPE = /^[A-Z][A-Z_]*$/;

/** An agent's tools and the model that serves them. */
export type ServedTools = Pick<TurnAgent, 'name' | 'model' | 'tools' | 'toolsets'>;

/**
 * Checks that the model of an agent supports the agent's provider tools, and their combination with its functions.
 *
 * @throws {ProviderToolUnsupportedError | ProviderToolNotCombinableError}
 */
export function checkProviderTools(served: ServedTools): void {
  const { name, model, tools, toolsets } = served;
  for (const tool of tools.provided) {
    if (!model.supportsProviderTool(tool.kind)) throw new ProviderToolUnsupportedError(name, model, tool);
  }
  if (!mixesProviderTools(served)) return;
  throw new ProviderToolNotCombinableError(name, model, tools.provided, functionsOf(tools, toolsets));
}

/** True for an agent with provider tools and functions whose model does not accept both together. */
export function mixesProviderTools({ model, tools, toolsets }: ServedTools): boolean {
  if (tools.provided.length === 0 || model.supportsFunctionsBesideProviderTools) return false;
  return tools.names.length > 0 || toolsets.length > 0;
}

/** Names the functions and toolsets that add function declarations to the requests of an agent. */
function functionsOf(tools: ToolTable, toolsets: readonly Toolset[]): string[] {
  const functions = tools.names.map((name) => {
    const reason = REASONS[name];
    return reason === undefined ? name : `${name} (${reason})`;
  });
  return [...functions, ...toolsets.map((toolset) => `the toolset ${nameOfToolset(toolset)}`)];
}

/** Why an agent has a function that its author did not list. */
const REASONS: Readonly<Record<string, string>> = Object.assign(Object.create(null) as object, {
  [TRANSFER_TO_AGENT]: 'to transfer to other agents',
  [SET_MODEL_RESPONSE]: 'for its outputSchema',
});

/** The model of an agent does not support a provider tool. */
export class ProviderToolUnsupportedError extends AdornError {
  readonly code = 'PROVIDER_TOOL_UNSUPPORTED';

  constructor(agentName: string, model: Model, tool: ProviderTool) {
    super(
      `Agent "${agentName}" has the tool ${tool.name}, which needs ${tool.needs}; its model is "${model.name}". ` +
        'Give the agent such a model, or remove the tool.',
    );
  }
}

/** The model of an agent does not accept provider tools together with functions. */
export class ProviderToolNotCombinableError extends AdornError {
  readonly code = 'PROVIDER_TOOL_NOT_COMBINABLE';

  constructor(
    agentName: string,
    model: Model,
    provided: readonly ProviderTool[],
    functions: readonly string[],
  ) {
    const names = provided.map(({ name }) => name).join(' and ');
    super(
      `Agent "${agentName}" has ${names}, which its model "${model.name}" cannot combine with functions: ` +
        `${functions.slice(0, 10).join(', ')}${functions.length > 10 ? ', …' : ''}. ` +
        `Use a model that combines them, such as Gemini 3 with an API key of Google AI Studio, or move ${names} to an ` +
        'agent of its own: a sub-agent with disallowTransferToParent and disallowTransferToPeers, or an agent listed as ' +
        'a tool.',
    );
  }
}
