import type { Content, FunctionResponse } from '../events/genai-types.js';

/** The tool with which a model reads results that a request shows cut, or not at all. */
export const READ_RESULT = 'read_result';

/** The artifact with the full result of a call, as JSON, whose response has its beginning only. */
export function longResultName(callId: string): string {
  return `tool-results/${callId}.json`;
}

/** True for a response that has the beginning of a result only, and names the artifact with all of it. */
export function isBeginning({ id = '', response = {} }: FunctionResponse): boolean {
  const { truncated, note } = response;
  return truncated === true && typeof note === 'string' && note.includes(`"${longResultName(id)}"`);
}

/** How a model reads the rest of a result, behind a sentence; empty for a tool that reads results itself. */
export function readingHint({ id = '', name }: FunctionResponse): string {
  return name === READ_RESULT ? '' : ` Call ${READ_RESULT} with the id "${id}" to read or search all of it.`;
}

/**
 * A content whose responses with the beginning of a result say how to read the rest. Returns the same object if there is
 * none. A response that a callback changed for the model says nothing: the artifact has what was to be changed.
 *
 * @param stored the content as it is stored
 */
export function withReadingHints(content: Content, stored: Content | undefined): Content {
  const { parts = [] } = content;
  const asStored = new Set(stored?.parts?.map(({ functionResponse }) => functionResponse));
  const isCut = (given: FunctionResponse | undefined): given is FunctionResponse =>
    given !== undefined && asStored.has(given) && isBeginning(given);
  if (!parts.some(({ functionResponse }) => isCut(functionResponse))) return content;
  const told = parts.map((part) => {
    const { functionResponse: given } = part;
    if (!isCut(given)) return part;
    const note = `${String(given.response?.['note'])}${readingHint(given)}`;
    return { ...part, functionResponse: { ...given, response: { ...given.response, note } } };
  });
  return { ...content, parts: told };
}
