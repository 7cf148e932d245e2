import type { BytesName, LeafRevival } from '../../schema/revival.js';
import { shownValue } from '../../schema/describe-problems.js';

/** What text or a number is made into, or why it cannot be. */
export type RevivedLeaf = { readonly value: unknown } | { readonly problem: string };

export function reviveLeaf(plan: LeafRevival, given: string | number, path: readonly string[]): RevivedLeaf {
  const wrong = (wanted: string): RevivedLeaf => ({
    problem: `must be ${wanted}, not ${shownValue(given, path)}`,
  });
  switch (plan.kind) {
    case 'date':
      return reviveDate(given) ?? wrong('a date and time');
    case 'url':
      return URL.canParse(String(given)) ? { value: new URL(String(given)) } : wrong('a URL');
    case 'bigint':
      return reviveBigInt(given) ?? wrong('a whole number');
    case 'bytes':
      return reviveBytes(plan.as, String(given));
  }
}

function reviveDate(given: string | number): RevivedLeaf | undefined {
  const value = new Date(given);
  return Number.isNaN(value.getTime()) ? undefined : { value };
}

/** A number that a double does not hold to the last digit may have been another one. */
function reviveBigInt(given: string | number): RevivedLeaf | undefined {
  if (typeof given === 'number' && !Number.isSafeInteger(given)) {
    return { problem: 'must be written as text, because a number of that size loses digits' };
  }
  return /^-?\d+$/.test(String(given)) ? { value: BigInt(given) } : undefined;
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function reviveBytes(as: BytesName, text: string): RevivedLeaf {
  const digits = text.replace(/[\r\n]+/g, '');
  const isBase64 = BASE64.test(digits) && digits.replace(/=+$/, '').length % 4 !== 1;
  if (!isBase64) return { problem: 'must be base64' };
  const bytes = Buffer.from(digits, 'base64');
  if (as === 'Buffer') return { value: bytes };
  const memory = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  if (as === 'ArrayBuffer') return { value: memory };
  const Elements = ELEMENTS[as];
  const size = Elements.BYTES_PER_ELEMENT;
  if (bytes.byteLength % size === 0) return { value: new Elements(memory) };
  return {
    problem: `must be base64 of elements of ${String(size)} bytes, and has ${String(bytes.byteLength)} bytes`,
  };
}

const ELEMENTS = {
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
  Int16Array,
  Int32Array,
  Int8Array,
  Uint16Array,
  Uint32Array,
  Uint8Array,
  Uint8ClampedArray,
} as const;
