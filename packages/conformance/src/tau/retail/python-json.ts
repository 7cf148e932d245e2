import { parse } from 'lossless-json';

/**
 * A document as Python's json module holds it: an int is a bigint, a float is a number (so that `46.0` stays
 * apart from `46`), and a dict is a Map, which keeps the order of keys that look like integers too.
 */
export type PythonValue = null | boolean | string | PythonNumber | PythonValue[] | PythonDict;
export type PythonNumber = bigint | number;
export type PythonDict = Map<string, PythonValue>;

/** Put before every key, so that none looks like an integer to the object that holds it while parsing. */
const KEY_MARK = '.';

/** Reads a JSON text without losing the order of its keys or the form of its numbers. */
export function parsePythonJson(text: string): PythonValue {
  return toPythonValue(parse(markKeys(text), null, { parseNumber }));
}

/** Writes what `json.dumps` would: `", "` and `": "` between, ASCII only. `sortKeys` is its `sort_keys`. */
export function writePythonJson(value: PythonValue, options: { readonly sortKeys?: boolean } = {}): string {
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'bigint' || typeof value === 'number') return writePythonNumber(value);
  if (Array.isArray(value)) return `[${value.map((each) => writePythonJson(each, options)).join(', ')}]`;
  if (!(value instanceof Map)) return String(value);
  const keys = options.sortKeys === true ? sortTexts(value.keys()) : [...value.keys()];
  const members = keys.map((key) => `${writeText(key)}: ${writePythonJson(value.get(key) ?? null, options)}`);
  return `{${members.join(', ')}}`;
}

/** The same dict with nothing shared, to any depth. */
export function copyPythonDict(dict: PythonDict): PythonDict {
  return new Map(Array.from(dict, ([key, value]) => [key, copyPythonValue(value)]));
}

/** A number as `str` writes it: the shortest text that reads back as the same one. A float keeps its point. */
export function writePythonNumber(value: PythonNumber): string {
  if (typeof value === 'bigint') return String(value);
  if (!Number.isFinite(value)) return String(value).replace('Infinity', 'inf').toLowerCase();
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  const written = `${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`;
  if (power < -4 || power >= 16) return `${digits}e${written}`;
  if (!Number.isInteger(value)) return String(value);
  return Object.is(value, -0) ? '-0.0' : `${String(value)}.0`;
}

/**
 * Texts in the order of `sorted`: by code point, which is the order of their UTF-8 bytes, and of their UTF-16 units
 * where none of them needs two.
 */
export function sortTexts(texts: Iterable<string>): string[] {
  const list = [...texts];
  if (!list.some((text) => /[\ud800-\udfff]/.test(text))) return list.sort();
  return list.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
}

/** Two ints make an int; a float on either side makes a float. */
export const add = lift(
  (left, right) => left + right,
  (left, right) => left + right,
);
export const subtract = lift(
  (left, right) => left - right,
  (left, right) => left - right,
);
export const multiply = lift(
  (left, right) => left * right,
  (left, right) => left * right,
);

/** `/` makes a float, of two ints as well. The divisor must not be zero. */
export function divide(left: PythonNumber, right: PythonNumber): number {
  return Number(left) / Number(right);
}

/** `abs`. */
export function magnitude(value: PythonNumber): PythonNumber {
  return value < 0 || Object.is(value, -0) ? multiply(value, -1n) : value;
}

/** `round(value, 2)`: an int stays one, and what lies exactly between two cents goes to the even one. */
export function roundToCents(value: PythonNumber): PythonNumber {
  if (typeof value === 'bigint' || Number.isInteger(value)) return value;
  const isBetweenTwoCents = Math.abs(value * 8) % 2 === 1;
  const towardsZero = value.toFixed(3).slice(0, -1);
  return Number(isBetweenTwoCents && /[02468]$/.test(towardsZero) ? towardsZero : value.toFixed(2));
}

function copyPythonValue(value: PythonValue): PythonValue {
  if (Array.isArray(value)) return value.map(copyPythonValue);
  return value instanceof Map ? copyPythonDict(value) : value;
}

function markKeys(text: string): string {
  return text.replace(/"((?:[^"\\]|\\.)*")(\s*:)?/g, (found, rest: string, colon: string | undefined) =>
    colon === undefined ? found : `"${KEY_MARK}${rest}${colon}`,
  );
}

function parseNumber(text: string): PythonNumber {
  return /[.eE]/.test(text) ? Number(text) : BigInt(text);
}

function toPythonValue(parsed: unknown): PythonValue {
  if (Array.isArray(parsed)) return parsed.map(toPythonValue);
  if (typeof parsed === 'object' && parsed !== null) return toDict(parsed);
  return parsed as null | boolean | string | PythonNumber;
}

function toDict(parsed: object): PythonDict {
  const members = Object.entries(parsed) as [string, unknown][];
  return new Map(members.map(([key, value]) => [key.slice(KEY_MARK.length), toPythonValue(value)]));
}

function writeText(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function lift(ints: Operation<bigint>, floats: Operation<number>): Operation<PythonNumber> {
  return (left, right) =>
    typeof left === 'bigint' && typeof right === 'bigint'
      ? ints(left, right)
      : floats(Number(left), Number(right));
}

type Operation<Operand> = (left: Operand, right: Operand) => Operand;
