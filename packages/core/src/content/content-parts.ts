import type { Content, FunctionCall, FunctionResponse } from './genai-types.js';

/** The calls a content holds, in order. */
export function functionCallsOf(content: Content | undefined): FunctionCall[] {
  const calls: FunctionCall[] = [];
  for (const part of content?.parts ?? []) {
    if (part.functionCall) calls.push(part.functionCall);
  }
  return calls;
}

/** The responses a content holds, in order. */
export function functionResponsesOf(content: Content | undefined): FunctionResponse[] {
  const responses: FunctionResponse[] = [];
  for (const part of content?.parts ?? []) {
    if (part.functionResponse) responses.push(part.functionResponse);
  }
  return responses;
}

/** The text of a content without thoughts; empty if there is none. */
export function joinText(content: Content | undefined): string {
  const parts = content?.parts;
  if (parts === undefined) return '';
  let text = '';
  for (const part of parts) {
    if (part.text !== undefined && part.thought !== true) text += part.text;
  }
  return text;
}
