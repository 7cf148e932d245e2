import type { BytesName, LeafHydration } from '../../schema/hydration.js';
import { shownValue } from '../../schema/describe-problems.js';

/** The converted value, or the problem. */
export type HydratedLeaf = { readonly value: unknown } | { readonly problem: string };

export function hydrateLeaf(
  plan: LeafHydration,
  given: string | number,
  path: readonly string[],
): HydratedLeaf {
  const wrong = (wanted: string): HydratedLeaf => ({
    problem: `must be ${wanted}, not ${shownValue(given, path)}`,
  });
  switch (plan.kind) {
    case 'date':
      return hydrateDate(given) ?? wrong('a date and time');
    case 'url':
      return URL.canParse(String(given)) ? { value: new URL(String(given)) } : wrong('a URL');
    case 'bigint':
      return hydrateBigInt(given) ?? wrong('a whole number');
    case 'bytes':
      return hydrateBytes(plan.as, String(given));
  }
}

function hydrateDate(given: string | number): HydratedLeaf | undefined {
  const value = new Date(given);
  return Number.isNaN(value.getTime()) ? undefined : { value };
}

/** A number beyond the safe integers may have lost digits. */
function hydrateBigInt(given: string | number): HydratedLeaf | undefined {
  if (typeof given === 'number' && !Number.isSafeInteger(given)) {
    return { problem: 'must be written as text, because a number of that size loses digits' };
  }
  return /^-?\d+$/.test(String(given)) ? { value: BigInt(given) } : undefined;
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function hydrateBytes(as: BytesName, text: string): HydratedLeaf {
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
