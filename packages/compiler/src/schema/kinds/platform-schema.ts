import type { JsonSchema } from '@adorn/core';
import type { BytesName } from '@adorn/core/compiler';

import { ts } from '../../typescript.js';
import { marked } from '../hydration-mark.js';
import type { SchemaWriter } from '../schema-writer.js';
import type { CheckerContext } from '../checker-context.js';

interface PlatformType {
  readonly schema: JsonSchema;
  /** The form in a result, if it is another. */
  readonly out?: JsonSchema;
}

const BASE64_TEXT = { type: 'string', contentEncoding: 'base64' };

/** Bytes in a result: base64 with the media type, or, if they are large, a reference to an artifact. */
const BYTES_IN_RESULT: JsonSchema = {
  type: 'object',
  properties: {
    mimeType: { type: 'string' },
    data: BASE64_TEXT,
    bytes: { type: 'integer' },
    note: { type: 'string' },
  },
  required: ['mimeType'],
};

function bytes(as: BytesName): PlatformType {
  return { schema: marked(BASE64_TEXT, { kind: 'bytes', as }), out: BYTES_IN_RESULT };
}

/** The platform's own types that have a form in JSON. */
const PLATFORM_TYPES: Readonly<Record<string, PlatformType>> = {
  Date: { schema: marked({ type: 'string', format: 'date-time' }, { kind: 'date' }) },
  URL: { schema: marked({ type: 'string', format: 'uri' }, { kind: 'url' }) },
  ArrayBuffer: bytes('ArrayBuffer'),
  BigInt64Array: bytes('BigInt64Array'),
  BigUint64Array: bytes('BigUint64Array'),
  Buffer: bytes('Buffer'),
  Float32Array: bytes('Float32Array'),
  Float64Array: bytes('Float64Array'),
  Int16Array: bytes('Int16Array'),
  Int32Array: bytes('Int32Array'),
  Int8Array: bytes('Int8Array'),
  Uint16Array: bytes('Uint16Array'),
  Uint32Array: bytes('Uint32Array'),
  Uint8Array: bytes('Uint8Array'),
  Uint8ClampedArray: bytes('Uint8ClampedArray'),
  String: { schema: { type: 'string' } },
  Number: { schema: { type: 'number' } },
  Boolean: { schema: { type: 'boolean' } },
  Object: { schema: { type: 'object' } },
};

const BASE64 = 'Write Uint8Array for bytes, which is sent as base64, or number[].';

/** The replacement to suggest for a platform type, by its name. */
const INSTEAD: Readonly<Record<string, string>> = {
  SharedArrayBuffer: BASE64,
  DataView: BASE64,
  Blob: BASE64,
  File: BASE64,
  WeakMap: 'Write Record<string, …>, or an array of entries.',
  WeakSet: 'Write an array; @uniqueItems forbids doubles.',
  Iterable: 'Write an array.',
  AsyncIterable: 'Write an array.',
  PromiseLike: 'Write the type of the value it brings.',
  URLSearchParams: 'Write Record<string, string>.',
  Headers: 'Write Record<string, string>.',
  Map: 'Write Record<string, …>, or an array of entries.',
  ReadonlyMap: 'Write Record<string, …>, or an array of entries.',
  Set: 'Write an array; @uniqueItems forbids doubles.',
  ReadonlySet: 'Write an array; @uniqueItems forbids doubles.',
  RegExp: 'Write a string with the pattern as its text.',
  Promise: 'Write the type of the value it brings.',
  Function: 'Write the data that the function would be called with.',
  Error: 'Write a string with its message.',
};

/** The schema of a type of the platform, a refusal of one without a form in JSON; undefined for users' types. */
export function platformSchema(type: ts.Type, schemas: SchemaWriter): JsonSchema | undefined {
  if (!isPlatformType(type, schemas.world)) return undefined;
  const name = type.symbol.name;
  const known = Object.hasOwn(PLATFORM_TYPES, name) ? PLATFORM_TYPES[name] : undefined;
  if (known) return schemas.direction === 'out' ? (known.out ?? known.schema) : known.schema;
  const instead = insteadOf(type, schemas.world);
  if (schemas.world.checker.isArrayType(type) || (instead === undefined && !hasMethods(type)))
    return undefined;
  throw schemas.refuse(type, 'JSON has no form for it.', instead ?? 'Write an interface of the data in it.');
}

/** The replacement to suggest for a type or its base type: a TypeError is an Error. */
function insteadOf(type: ts.Type, { checker }: CheckerContext): string | undefined {
  const bases = type.isClassOrInterface() ? checker.getBaseTypes(type) : [];
  const names = [type, ...bases].flatMap(({ symbol }) => (symbol as ts.Symbol | undefined)?.name ?? []);
  const known = names.find((name) => Object.hasOwn(INSTEAD, name));
  return known && INSTEAD[known];
}

/** True if TypeScript's or Node's libraries declare the type, rather than only extend it. */
function isPlatformType(type: ts.Type, { program }: CheckerContext): boolean {
  const symbol = type.symbol as ts.Symbol | undefined;
  if (!symbol || !(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return false;
  return (symbol.declarations ?? []).some((declaration) => {
    const file = declaration.getSourceFile();
    return program.isSourceFileDefaultLibrary(file) || /\/node_modules\/@types\/node\//.test(file.fileName);
  });
}

function hasMethods(type: ts.Type): boolean {
  return type.getProperties().some((property) => property.flags & ts.SymbolFlags.Method);
}
