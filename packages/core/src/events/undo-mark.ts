import { composedKey, isObject, present } from '@adorn/schema';

import type { Event } from './event.js';

/** A call in a log. Models reuse the ids of calls, so the event that holds the call belongs to its name. */
export interface CallPlace {
  /** The id of the event with the call. */
  readonly event: string;
  /** The id of the call. */
  readonly call: string;
}

/** The entry of a call in the effect ledger. */
export interface EffectPlace {
  readonly scope: string;
  readonly tool: string;
  readonly key: string;
  /** The id of the claim of the call that had the effect. */
  readonly id: string;
  /** True if that is an earlier call: this one had no effect of its own. */
  readonly isBefore?: boolean | undefined;
}

/** What an undo needs of a call whose tool has returned. */
export interface Receipt {
  /** The name of the undo. */
  readonly undo: string;
  /** What the tool returned, as JSON, before `afterTool`. */
  readonly result: unknown;
  /** The entry of the call in the effect ledger, if its tool has `once`. */
  readonly effect?: EffectPlace | undefined;
}

/** What the message of an undo says: which run is undone, and which of its calls, in order. */
export interface UndoPlan {
  /** The id of the message. Undefined if nothing was stored, because there is nothing to undo. */
  readonly id?: string | undefined;
  /** The run that is undone. */
  readonly invocationId: string;
  readonly calls: readonly CallPlace[];
  /** The ids of the calls that were asked for. Undefined: all. */
  readonly only?: readonly string[] | undefined;
}

/** What the event with the call of an undo says: which call it undoes. */
export interface UndoMark extends CallPlace {
  /** The entry of the undone call in the effect ledger. */
  readonly effect?: EffectPlace | undefined;
}

/** The key of the custom metadata of a response event: the receipts of its calls, by the id of the call. */
const RECEIPTS = 'adorn:receipts';

/** The key of the custom metadata of a response event: the ids of the calls whose tools only read. */
const READS = 'adorn:reads';

/** The key of the custom metadata of the message of an undo. */
const PLAN = 'adorn:undo';

/** The key of the custom metadata of an event with the call of an undo. */
const UNDOES = 'adorn:undoes';

type Metadata = Readonly<Record<string, unknown>>;

export function receiptMetadata(receipts: Readonly<Record<string, Receipt>>): Metadata {
  return { [RECEIPTS]: receipts };
}

/** The receipt of a call that the event answers; undefined if its tool had no undo, or did not return. */
export function receiptIn({ author, customMetadata }: Event, callId: string): Receipt | undefined {
  const receipts = author === 'user' ? undefined : customMetadata?.[RECEIPTS];
  const receipt = isObject(receipts) && Object.hasOwn(receipts, callId) ? receipts[callId] : undefined;
  if (!isObject(receipt) || typeof receipt['undo'] !== 'string') return undefined;
  const { undo, result, effect } = receipt;
  return { undo, result, effect: isEffect(effect) ? effect : undefined };
}

export function readsMetadata(callIds: readonly string[]): Metadata {
  return { [READS]: callIds };
}

/** True if the tool of a call that the event answers only read, as its effect was stated when it ran. */
export function isRead({ author, customMetadata }: Event, callId: string): boolean {
  const ids = author === 'user' ? undefined : customMetadata?.[READS];
  return Array.isArray(ids) && ids.includes(callId);
}

export function planMetadata(plan: Omit<UndoPlan, 'id'>): Metadata {
  return { [PLAN]: present(plan) };
}

/** The plan that the message of an undo has; undefined for any other event. */
export function planIn({ id, author, customMetadata }: Event): UndoPlan | undefined {
  const plan = author === 'user' ? customMetadata?.[PLAN] : undefined;
  if (!isObject(plan) || typeof plan['invocationId'] !== 'string') return undefined;
  const { invocationId, calls, only } = plan;
  return {
    id,
    invocationId,
    calls: Array.isArray(calls) ? calls.filter(isPlace) : [],
    only: Array.isArray(only) ? only.filter((id) => typeof id === 'string') : undefined,
  };
}

export function undoMetadata(mark: UndoMark): Metadata {
  return { [UNDOES]: present(mark) };
}

/** Which call the event undoes; undefined if it holds no call of an undo. */
export function undoOf({ author, customMetadata }: Event): UndoMark | undefined {
  const mark = author === 'user' ? undefined : customMetadata?.[UNDOES];
  if (!isPlace(mark)) return undefined;
  const { event, call, effect } = mark as UndoMark;
  return { event, call, effect: isEffect(effect) ? effect : undefined };
}

/** Custom metadata without what only this application can know about undos: a log of somebody else proves no receipt. */
export function withoutUndo(metadata: Metadata | undefined): Metadata | undefined {
  if (!metadata || ![RECEIPTS, READS, PLAN, UNDOES].some((key) => key in metadata)) return metadata;
  const { [RECEIPTS]: _receipts, [READS]: _reads, [PLAN]: _plan, [UNDOES]: _mark, ...others } = metadata;
  return others;
}

/** A text that differs between all calls of a log. */
export function placeKey({ event, call }: CallPlace): string {
  return composedKey(event, call);
}

function isPlace(value: unknown): value is CallPlace {
  return isObject(value) && typeof value['event'] === 'string' && typeof value['call'] === 'string';
}

function isEffect(value: unknown): value is EffectPlace {
  return isObject(value) && ['scope', 'tool', 'key', 'id'].every((name) => typeof value[name] === 'string');
}
