import type { Content, FunctionCall, Part } from '../events/genai-types.js';
import { frozenJson, isNameTooLong, shownName } from '@adorn/schema';
import { isReservedCallId, newCallId } from '../runtime/ids.js';

/** A call of an answer: its name and id as the model gave them, and the assigned id. */
interface GivenId {
  readonly name: string | undefined;
  readonly original: string | undefined;
  readonly id: string;
}

/** The ids of calls that are in use. */
interface CallIdRegistry {
  /** Reserves an id. False if it is in use. */
  reserveCallId(id: string): boolean;
}

/**
 * Assigns the ids of the calls of one answer. A new id replaces an id that is missing, in use, too long for a store, or
 * like those of the framework. A call has the same id in the pieces of a streamed answer and in the complete answer.
 * Arguments become frozen copies, so that the logged, the shown and the executed arguments are the same. A content
 * without calls is returned unchanged.
 */
export class CallIds {
  /** The calls of the pieces, for the complete answer that follows. */
  private readonly shown: GivenId[] = [];
  /** The call that the next piece continues. */
  private unfinished: GivenId | undefined;

  constructor(private readonly registry: CallIdRegistry) {}

  ofPiece(content: Content): Content {
    return withIds(content, (call) => {
      const given = this.unfinished ?? this.give(call);
      if (given !== this.unfinished) this.shown.push(given);
      this.unfinished = call.willContinue === true ? given : undefined;
      return given.id;
    });
  }

  ofWhole(content: Content): Content {
    return withIds(content, (call) => {
      const place = this.shown.findIndex(({ name, original }) => name === call.name && original === call.id);
      const [given] = place === -1 ? [] : this.shown.splice(place, 1);
      return (given ?? this.give(call)).id;
    });
  }

  private give({ name, id: original }: FunctionCall): GivenId {
    const isFree = isId(original) && this.registry.reserveCallId(original);
    return { name, original, id: isFree ? original : newCallId() };
  }
}

function withIds(content: Content, idOf: (call: FunctionCall) => string): Content {
  const said = content.parts ?? [];
  if (!said.some(({ functionCall }) => functionCall !== undefined)) return content;
  const parts = said.map((part): Part => {
    const { functionCall: call } = part;
    return call ? { ...part, functionCall: sealed(call, idOf) } : part;
  });
  return { ...content, parts };
}

/**
 * A copy of the call with frozen arguments. A name that is longer than any tool's is cut; the call is answered and shown
 * under the cut name.
 */
function sealed(call: FunctionCall, idOf: (call: FunctionCall) => string): FunctionCall {
  const name = shownName(call.name ?? '');
  const own = name === call.name ? call : { ...call, name };
  // With the id first, calls with and without one of their own have the same shape.
  const copy: FunctionCall = { id: '', ...own };
  copy.id = idOf(own);
  if (call.args) copy.args = frozenJson(call.args);
  return copy;
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && !isNameTooLong(id) && !isReservedCallId(id);
}
