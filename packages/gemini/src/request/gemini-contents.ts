import { isNameAccepted, WireNames } from '@adorn/core/backend';
import type { Content, Part } from '@google/genai';

import { without } from '../without.js';

/** The field of `partMetadata` in which models of `@adorn/ai-sdk` keep what their provider said. */
const FOREIGN = 'aiSdk';

/**
 * The contents without what other providers said about them: a conversation may have begun with another model. Their
 * thoughts and the calls that they ran themselves mean nothing to Gemini, and Vertex AI refuses `partMetadata`.
 */
export function toOwnContents(contents: readonly Content[]): readonly Content[] {
  const own = contents.some(hasForeign)
    ? contents.map(withoutForeign).filter(({ parts }) => parts?.length !== 0)
    : contents;
  return own.some(hasServerCall) ? own.map(withServerCalls) : own;
}

/** The form of the types of Gemini's own tools, such as `GOOGLE_SEARCH_WEB`. */
const OWN_TOOL = /^[A-Z][A-Z_]*$/;

function hasServerCall({ parts }: Content): boolean {
  return parts?.some((part) => isServerCall(part.toolCall) || isServerCall(part.toolResponse)) ?? false;
}

/** True for a call of a tool of an MCP server that Gemini has called itself. */
function isServerCall(part: { readonly toolType?: string } | undefined): boolean {
  return part?.toolType !== undefined && !OWN_TOOL.test(part.toolType);
}

/** Gemini gives such calls and their responses as functions, and gets them back like that. */
function withServerCalls(content: Content): Content {
  return { ...content, ...(content.parts !== undefined && { parts: content.parts.map(asFunction) }) };
}

function asFunction(part: Part): Part {
  const { toolCall, toolResponse, ...fields } = part;
  if (toolCall && isServerCall(toolCall)) {
    const { id, toolType: name, args } = toolCall;
    return {
      ...fields,
      functionCall: { ...(id !== undefined && { id }), name: String(name), args: args ?? {} },
    };
  }
  if (toolResponse && isServerCall(toolResponse)) {
    const { id, toolType: name, response } = toolResponse;
    const answered = { name: String(name), response: response ?? {} };
    return { ...fields, functionResponse: { ...(id !== undefined && { id }), ...answered } };
  }
  return part;
}

function hasForeign({ parts }: Content): boolean {
  return parts?.some(isForeign) ?? false;
}

function isForeign({ partMetadata }: Part): boolean {
  return partMetadata !== undefined && FOREIGN in partMetadata;
}

function withoutForeign(content: Content): Content {
  if (!content.parts || !hasForeign(content)) return content;
  return { ...content, parts: content.parts.flatMap(ownPart) };
}

function ownPart(part: Part): Part[] {
  if (!isForeign(part)) return [part];
  const isTheirs = part.thought === true || part.toolCall !== undefined || part.toolResponse !== undefined;
  return isTheirs ? [] : [without(part, 'partMetadata')];
}

/** Google's documented value for a call whose signature is unknown. */
const UNSIGNED = 'skip_thought_signature_validator';

/**
 * Gemini 3 refuses calls without a signature, which those of other models do not have: a fallback or a route may go on
 * after their calls. Of the calls of one content only the first one bears a signature.
 */
export function toSignedContents(contents: readonly Content[]): readonly Content[] {
  return contents.some(isUnsigned) ? contents.map(withSignature) : contents;
}

function isUnsigned({ role, parts }: Content): boolean {
  const call = role === 'model' ? firstCall(parts) : undefined;
  return call !== undefined && call.thoughtSignature === undefined;
}

function firstCall(parts: readonly Part[] | undefined): Part | undefined {
  return parts?.find(({ functionCall }) => functionCall !== undefined);
}

function withSignature(content: Content): Content {
  if (!content.parts || !isUnsigned(content)) return content;
  const first = firstCall(content.parts);
  const parts = content.parts.map((part) =>
    part === first ? { ...part, thoughtSignature: UNSIGNED } : part,
  );
  return { ...content, parts };
}

/** The names of functions that Gemini accepts. Tools have such names; a model may have called by any other. */
const NAMES = { pattern: /^[A-Za-z_][A-Za-z0-9_.:-]*$/, longest: 64 };

/** The contents with accepted names in calls, and in the responses to them: Gemini refuses the request otherwise. */
export function toNamedContents(contents: readonly Content[]): readonly Content[] {
  if (!contents.some(hasRefusedName)) return contents;
  const names = new WireNames(NAMES, contents.flatMap(namesIn));
  return contents.map((content) =>
    content.parts ? { ...content, parts: content.parts.map((part) => named(part, names)) } : content,
  );
}

function hasRefusedName({ parts }: Content): boolean {
  return parts?.some((part) => isNameRefused(part.functionCall ?? part.functionResponse)) ?? false;
}

function isNameRefused(called: { readonly name?: string } | undefined): boolean {
  return called !== undefined && !isNameAccepted(NAMES, called.name ?? '');
}

function namesIn({ parts = [] }: Content): string[] {
  return parts.flatMap(({ functionCall, functionResponse }) => {
    const called = functionCall ?? functionResponse;
    return called ? [called.name ?? ''] : [];
  });
}

function named(part: Part, names: WireNames): Part {
  const { functionCall: call, functionResponse: response } = part;
  if (call) return { ...part, functionCall: { ...call, name: names.toSent(call.name ?? '') } };
  if (response)
    return { ...part, functionResponse: { ...response, name: names.toSent(response.name ?? '') } };
  return part;
}

/** Vertex AI does not know a response's `willContinue`, and @google/genai throws over it. */
export function toVertexContents(contents: readonly Content[]): readonly Content[] {
  return contents.some(hasContinuing) ? contents.map(withoutContinuing) : contents;
}

function hasContinuing({ parts }: Content): boolean {
  return parts?.some(isContinuing) ?? false;
}

function isContinuing({ functionResponse }: Part): boolean {
  return functionResponse?.willContinue !== undefined;
}

function withoutContinuing(content: Content): Content {
  if (!content.parts || !hasContinuing(content)) return content;
  return { ...content, parts: content.parts.map(withoutMark) };
}

function withoutMark(part: Part): Part {
  if (!part.functionResponse) return part;
  return { ...part, functionResponse: without(part.functionResponse, 'willContinue') };
}
