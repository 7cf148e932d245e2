import type { Content, FunctionCall, Part } from '../content/genai-types.js';
import type { OpenRequests } from '../events/open-requests.js';
import { frozenJson } from '../json/copy-json.js';
import { toJsonValue } from '../json/json-value.js';
import { isNameTooLong } from '../names/check-name.js';
import { shownName } from '../names/shown-name.js';
import { newCallId } from '../runtime/ids.js';

/**
 * Gives every call of a model's answer an id of its own: one where the model gave none, and another where it gave
 * one twice, one that is still waiting for an answer, or one that no store keeps. Arguments become frozen copies, so
 * that the logged, the shown and the executed arguments are the same. The same content where there are no calls.
 */
export function withCallIds(content: Content, open: OpenRequests): Content {
  const said = content.parts ?? [];
  if (!said.some(({ functionCall }) => functionCall !== undefined)) return content;
  const taken = new Set<string>();
  const parts = said.map((part): Part => {
    if (part.functionCall === undefined) return part;
    const call = sealed(part.functionCall);
    const { id } = call;
    const isFree = isId(id) && !taken.has(id) && open.findCall(id) === undefined;
    const own = isFree ? id : newCallId();
    taken.add(own);
    return { ...part, functionCall: { ...call, id: own } };
  });
  return { ...content, parts };
}

/**
 * A call whose arguments nothing can change, under a name that is cut where it is longer than any tool's: it is
 * answered and shown under that name.
 */
function sealed(call: FunctionCall): FunctionCall {
  const { name = '', args } = call;
  const shown = shownName(name);
  const own = shown === call.name ? call : { ...call, name: shown };
  return args === undefined ? own : { ...own, args: sealedArguments(args) };
}

/** Arguments that are not JSON stay as they are: the shape gate refuses them. */
function sealedArguments(args: Record<string, unknown>): Record<string, unknown> {
  try {
    return frozenJson(toJsonValue(args)) as Record<string, unknown>;
  } catch {
    return args;
  }
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && !isNameTooLong(id);
}
