import type { BytesName, LeafRevival } from '../../schema/revival.js';

/** What text or a number is made into, or why it cannot be. */
export type RevivedLeaf = { readonly value: unknown } | { readonly problem: string };

export function reviveLeaf(plan: LeafRevival, given: string | number): RevivedLeaf {
  switch (plan.kind) {
    case 'date':
      return reviveDate(given);
    case 'url':
      return URL.canParse(String(given)) ? { value: new URL(String(given)) } : wrong('a URL', given);
    case 'bigint':
      return reviveBigInt(given);
    case 'bytes':
      return reviveBytes(plan.as, String(given));
  }
}

function reviveDate(given: string | number): RevivedLeaf {
  const value = new Date(given);
  return Number.isNaN(value.getTime()) ? wrong('a date and time', given) : { value };
}

/** A number that a double does not hold to the last digit may have been another one. */
function reviveBigInt(given: string | number): RevivedLeaf {
  if (typeof given === 'number' && !Number.isSafeInteger(given)) {
    return { problem: 'must be written as text, because a number of that size loses digits' };
  }
  return /^-?\d+$/.test(String(given)) ? { value: BigInt(given) } : wrong('a whole number', given);
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

const LONGEST_VALUE = 60;

function wrong(wanted: string, given: string | number): RevivedLeaf {
  return { problem: `must be ${wanted}, not ${JSON.stringify(given).slice(0, LONGEST_VALUE)}` };
}
