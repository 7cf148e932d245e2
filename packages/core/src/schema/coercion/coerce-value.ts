import { isObject } from '../reader/schema-parts.js';

/** A value converted without a change of meaning. */
export interface Coerced {
  readonly value: unknown;
}

/** A number, a true or false in the type asked for, where the text is exactly that, and the other way round. */
export function coerceScalar(value: unknown, types: readonly string[]): Coerced | undefined {
  if (typeof value === 'string') {
    const number = types.includes('number') || types.includes('integer') ? toNumber(value) : undefined;
    if (number !== undefined) return { value: number };
    return types.includes('boolean') ? toBoolean(value) : undefined;
  }
  if (!types.includes('string')) return undefined;
  if (typeof value === 'number') return isExact(value) ? { value: String(value) } : undefined;
  return typeof value === 'boolean' ? { value: String(value) } : undefined;
}

/** The allowed value that differs only in type; otherwise the value itself. */
export function coerceLiteral(value: unknown, allowed: readonly unknown[]): unknown {
  if (!isScalar(value) || allowed.includes(value)) return value;
  return allowed.filter(isScalar).find((one) => String(one) === String(value)) ?? value;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** An object or a list that was written as text. */
export function parseStructure(value: unknown, types: readonly string[]): Coerced | undefined {
  if (typeof value !== 'string') return undefined;
  const parsed = parse(value);
  const isWanted = Array.isArray(parsed) ? types.includes('array') : types.includes('object');
  return isWanted && (Array.isArray(parsed) || isObject(parsed)) ? { value: parsed } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function toBoolean(text: string): Coerced | undefined {
  return text === 'true' || text === 'false' ? { value: text === 'true' } : undefined;
}

/** JSON numbers without an exponent that a double holds exactly. */
function toNumber(text: string): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  const isKept = Number.isInteger(number) ? Number.isSafeInteger(number) : digitsOf(text) <= 15;
  return isKept ? number : undefined;
}

/** The original digits of a number that a double does not hold exactly are unknown. */
function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : digitsOf(String(value)) <= 15;
}

function digitsOf(text: string): number {
  return text.replace(/[-.]/g, '').length;
}
