import type { Content, GenerateContentConfig, Part } from '../events/genai-types.js';
import { UNTRUSTED } from '../log/labelled-results.js';
import type { ModelResponse } from '../models/model-response.js';
import type { ToolTable } from '../tools/tool-table.js';

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
  for (const entry of tools ?? NONE) {
    for (const kind in entry) if (kind !== 'functionDeclarations') return true;
  }
  return false;
}

const NONE: readonly never[] = Object.freeze([]);

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
    if (!functionResponse) continue;
    const { id, name, response } = functionResponse;
    const called = parts
      .slice(0, index)
      .find(
        (one) => !replaced.has(one) && one.functionCall?.name === name && (one.functionCall?.id ?? id) === id,
      );
    if (!called?.functionCall) continue;
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
