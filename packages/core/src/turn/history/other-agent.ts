import type { Content, FunctionResponse, Part } from '../../content/genai-types.js';
import { isRequestName } from '../../events/pending-request.js';

/**
 * What another agent said and did, as something a user tells: a model takes words of the role `model` for its own.
 * Thoughts are left out. Undefined where nothing remains.
 *
 * @param onResponse called with each response and the index of the part that tells it
 */
export function asContext(
  author: string,
  content: Content,
  onResponse?: (response: FunctionResponse, part: number) => void,
): Content | undefined {
  const told: Part[] = [{ text: 'For context:' }];
  for (const part of content.parts ?? []) {
    const { text, thought, functionCall, functionResponse } = part;
    const isRequest = isRequestName(functionCall?.name) || isRequestName(functionResponse?.name);
    if (thought === true || isRequest || text?.trim() === '') continue;
    if (functionResponse !== undefined) onResponse?.(functionResponse, told.length);
    told.push(toldPart(author, part));
  }
  return told.length === 1 ? undefined : { role: 'user', parts: told };
}

function toldPart(author: string, part: Part): Part {
  const { text, functionCall, functionResponse } = part;
  if (text !== undefined) return { text: `[${author}] said: ${text}` };
  if (functionCall !== undefined) {
    return {
      text: `[${author}] called tool \`${functionCall.name ?? ''}\` with ${asJson(functionCall.args)}`,
    };
  }
  return functionResponse === undefined ? part : toldResponse(author, functionResponse);
}

/** The response of another agent's tool as text. */
export function toldResponse(author: string, { name = '', response }: FunctionResponse): Part {
  return { text: `[${author}] tool \`${name}\` returned ${asJson(response)}` };
}

function asJson(value: unknown): string {
  return JSON.stringify(value ?? {});
}
