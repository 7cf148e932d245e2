import type { Content, FunctionCall, Part } from '../content/genai-types.js';
import type { OpenRequests } from '../events/open-requests.js';
import { isNameTooLong } from '../names/name-length.js';
import { newCallId } from '../runtime/ids.js';

/**
 * Gives every call of a model's answer an id of its own: one where the model gave none, and another where it gave
 * one twice, one that is still waiting for an answer, or one that no store keeps. The same content where nothing is to
 * be done.
 */
export function withCallIds(content: Content, open: OpenRequests): Content {
  const said = content.parts ?? [];
  if (!said.some(({ functionCall }) => functionCall !== undefined)) return content;
  const taken = new Set<string>();
  const parts = said.map((part): Part => {
    if (part.functionCall === undefined) return part;
    const call = named(part.functionCall);
    const { id } = call;
    const isFree = isId(id) && !taken.has(id) && open.findCall(id) === undefined;
    const own = isFree ? id : newCallId();
    taken.add(own);
    return isFree && call === part.functionCall ? part : { ...part, functionCall: { ...call, id: own } };
  });
  return parts.every((part, index) => part === said[index]) ? content : { ...content, parts };
}

/** A call whose name is a text: what a model sends is not to be relied on. */
function named(call: FunctionCall): FunctionCall {
  return typeof call.name === 'string' ? call : { ...call, name: '' };
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && !isNameTooLong(id);
}
