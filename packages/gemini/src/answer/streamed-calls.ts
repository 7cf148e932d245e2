import type { FunctionCall, Part, PartialArg } from '@google/genai';
import { isBlocking } from '@adorn/core/backend';

import type { GeminiPiece } from './gemini-piece.js';
import { without } from '../without.js';

/**
 * The answer with each call whose arguments were streamed as one part. Where a call did not arrive whole, the answer
 * is a `MALFORMED_FUNCTION_CALL` without any call: no tool runs on a part of its arguments.
 */
export function withWholeCalls(piece: GeminiPiece): GeminiPiece {
  if (!piece.parts.some(isFragment)) return piece;
  try {
    return { ...piece, parts: joinFragments(piece.parts) };
  } catch (error) {
    if (!(error instanceof IncompleteCall)) throw error;
    const parts = piece.parts.filter(({ functionCall }) => functionCall === undefined);
    if (isBlocking(piece.finishReason)) return { ...piece, parts };
    const cause =
      piece.finishReason === undefined || piece.finishReason === 'STOP' ? '' : ` (${piece.finishReason})`;
    const finishMessage = `${error.message}${cause}. No call of this answer is run: ask again.`;
    return { ...piece, parts, finishReason: MALFORMED, finishMessage };
  }
}

const MALFORMED = 'MALFORMED_FUNCTION_CALL' as NonNullable<GeminiPiece['finishReason']>;

class IncompleteCall extends Error {}

/**
 * A streamed call begins with its name, goes on in parts without one, and ends with a part that announces no other,
 * which may be empty.
 */
function joinFragments(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  let open: StreamedCall | undefined;
  for (const part of parts) {
    const call = callOf(part);
    if (!call) {
      whole.push(part);
      continue;
    }
    if (open?.isContinuedBy(call) === true) {
      open.add(part, call);
    } else if (open) {
      throw open.incomplete('another call began before it ended');
    } else if (isFragment(part)) {
      open = new StreamedCall(call, whole.push(part) - 1);
      open.add(part, call);
    } else if (!isEndMarker(call)) {
      whole.push(part);
    }
    if (!open || call.willContinue === true) continue;
    whole[open.position] = open.whole();
    open = undefined;
  }
  if (open) throw open.incomplete('the answer ended before it did');
  return whole;
}

function callOf({ functionCall }: Part): FunctionCall | undefined {
  return typeof functionCall === 'object' && (functionCall as unknown) !== null ? functionCall : undefined;
}

function isFragment(part: Part): boolean {
  const { willContinue, partialArgs } = callOf(part) ?? {};
  return willContinue === true || Array.isArray(partialArgs);
}

function isEndMarker({ name, args, partialArgs }: FunctionCall): boolean {
  return name === undefined && args === undefined && partialArgs === undefined;
}

class StreamedCall {
  private part: Part = {};
  private readonly args: Record<string, unknown> = {};
  /** The paths whose values are not complete. */
  private readonly openPaths = new Set<string>();

  constructor(
    private readonly start: FunctionCall,
    /** The position of the call in the answer. */
    readonly position: number,
  ) {
    if (!start.name) throw new IncompleteCall('Arguments were streamed for a call that had not begun');
  }

  isContinuedBy({ name, id }: FunctionCall): boolean {
    const isSameName = name === undefined || name === '' || name === this.start.name;
    return isSameName && (id === undefined || this.start.id === undefined || id === this.start.id);
  }

  /** A signature may come with any fragment. */
  add(part: Part, { args, partialArgs }: FunctionCall): void {
    this.part = { ...this.part, ...part };
    for (const [key, value] of Object.entries(args ?? {})) define(this.args, key, value);
    for (const partial of partialArgs ?? []) this.addPartial(partial);
  }

  whole(): Part {
    const [path] = this.openPaths;
    if (path !== undefined) throw this.incomplete(`the value of ${path} did not end`);
    const functionCall = { ...without(this.start, 'partialArgs', 'willContinue'), args: this.args };
    return { ...this.part, functionCall };
  }

  incomplete(reason: string): IncompleteCall {
    return new IncompleteCall(
      `The arguments of a call of "${String(this.start.name)}" did not arrive whole: ${reason}`,
    );
  }

  private addPartial(partial: PartialArg): void {
    const { jsonPath, willContinue } = Object(partial) as PartialArg;
    const keys = typeof jsonPath === 'string' ? keysOf(jsonPath) : undefined;
    if (jsonPath === undefined || !keys) throw this.incomplete('a value has no valid path');
    if (!this.put(keys, partial)) throw this.incomplete(`a value does not fit at ${jsonPath}`);
    if (willContinue === true) this.openPaths.add(jsonPath);
    else this.openPaths.delete(jsonPath);
  }

  /**
   * False if the path leads through a value other than an object or array, or would leave a gap in an array.
   */
  private put(keys: readonly Key[], partial: PartialArg): boolean {
    let container: unknown = this.args;
    for (const [depth, key] of keys.entries()) {
      if (!accepts(container, key)) return false;
      const existing = Object.hasOwn(container, key) ? container[key] : undefined;
      const next = keys[depth + 1];
      if (next === undefined) return putValue(container, key, existing, partial);
      if (existing === undefined) define(container, key, typeof next === 'number' ? [] : {});
      container = container[key];
    }
    return false;
  }
}

type Key = string | number;
type Container = Record<Key, unknown>;

function accepts(container: unknown, key: Key): container is Container {
  if (typeof container !== 'object' || container === null) return false;
  if (Array.isArray(container)) return typeof key === 'number' && key <= container.length;
  return typeof key === 'string';
}

/** Texts come in portions; a portion without a value only opens or closes its path. */
function putValue(container: Container, key: Key, existing: unknown, partial: PartialArg): boolean {
  const { stringValue, numberValue, boolValue } = partial;
  if (typeof stringValue === 'string') {
    if (existing !== undefined && typeof existing !== 'string') return false;
    define(container, key, `${existing ?? ''}${stringValue}`);
    return true;
  }
  const value = 'nullValue' in partial ? null : (numberValue ?? boolValue);
  if (value === undefined) return existing !== undefined || partial.willContinue === true;
  if (typeof existing === 'object' && existing !== null) return false;
  define(container, key, value);
  return true;
}

/** An argument may be called "__proto__". */
function define(container: object, key: Key, value: unknown): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

const STEP = /\.([^.[\]'"*@?$\s]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** The keys of a JSON path that leads to one value, such as `$.foo.bar[0]['a b']`; undefined for any other. */
function keysOf(path: string): Key[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const keys: Key[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const step = STEP.exec(path);
    if (step === null) return undefined;
    const [, name, index, single, double] = step;
    keys.push(index === undefined ? (name ?? unescape(single ?? double ?? '')) : Number(index));
  }
  return keys;
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescape(name: string): string {
  return name.replace(
    /\\(?:u([\da-fA-F]{4})|(.))/gs,
    (_escape, code: string | undefined, character: string) =>
      code === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
