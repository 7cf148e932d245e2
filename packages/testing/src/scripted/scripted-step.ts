import type { FunctionCall, ModelRequest, ModelResponse, Part } from '@adorn/core';

/** One answer of a scripted model: a response, the pieces and the whole of a streamed one, or what is made of the request. */
export type ScriptedStep =
  | ModelResponse
  | readonly ModelResponse[]
  | ((
      request: ModelRequest,
    ) => ModelResponse | readonly ModelResponse[] | Promise<ModelResponse | readonly ModelResponse[]>);

/** The model says a text. */
export function says(text: string): ModelResponse {
  return { content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' };
}

/** The model calls a tool. The call has no id, as Gemini's have none, unless one is given. */
export function callsTool(name: string, args: Record<string, unknown> = {}, id?: string): ModelResponse {
  return callsTools({ name, args, ...(id !== undefined && { id }) });
}

/** The model calls several tools in one turn. */
export function callsTools(...calls: readonly FunctionCall[]): ModelResponse {
  const parts: Part[] = calls.map((functionCall) => ({ functionCall }));
  return { content: { role: 'model', parts }, finishReason: 'STOP' };
}

/** The model answers with pieces if the request streams, then with the complete text. */
export function streams(...pieces: readonly string[]): readonly ModelResponse[] {
  const partial = pieces.map((piece) => ({ content: says(piece).content, partial: true }));
  return [...partial, says(pieces.join(''))];
}
