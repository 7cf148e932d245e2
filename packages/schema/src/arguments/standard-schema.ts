import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

import { describeThrown } from '../errors/describe-thrown.js';
import type { JsonSchema } from '../reader/schema-parts.js';

/** A schema of any library that keeps to Standard Schema, such as zod, valibot or arktype. */
export type StandardSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output>;

/** A handwritten schema: JSON Schema, or a schema of a library. */
export type ExplicitSchema = JsonSchema | StandardSchema;

/** The output of a library's schema. */
export type OutputOf<Schema extends StandardSchema> = StandardSchemaV1.InferOutput<Schema>;

/**
 * True for a schema of a library that implements Standard Schema, such as zod.
 *
 * @param schema a value of any type: options are checked later
 */
export function isStandardSchema(schema: ExplicitSchema): schema is StandardSchema {
  const { '~standard': standard } = Object(schema) as { '~standard'?: Partial<StandardSchema['~standard']> };
  return typeof standard?.validate === 'function';
}

type Converting = StandardSchema & StandardJSONSchemaV1;

/**
 * The JSON Schema of what a library's schema takes, as the library writes it.
 *
 * @throws {Error} in the library's words where JSON has no form for a part of it, or saying what to install
 */
export async function toJsonSchema(schema: StandardSchema): Promise<JsonSchema> {
  const { vendor, jsonSchema } = (isConverting(schema) ? schema : await withConverter(schema))['~standard'];
  const { $schema: _, ...converted } = convert(vendor, jsonSchema);
  return converted;
}

function isConverting(schema: StandardSchema): schema is Converting {
  return 'jsonSchema' in schema['~standard'];
}

/** valibot keeps its converter in a package of its own, which is loaded with the first schema that needs it. */
async function withConverter(schema: StandardSchema): Promise<StandardJSONSchemaV1> {
  const { vendor } = schema['~standard'];
  if (vendor !== 'valibot') {
    throw new Error(
      `${vendor} does not say what it is in JSON Schema. Take a version of ${vendor} that has Standard JSON Schema, ` +
        'or give the JSON Schema itself',
    );
  }
  const { toStandardJsonSchema } = await import('@valibot/to-json-schema').catch((cause: unknown) => {
    throw new Error('valibot needs a second package for it: install @valibot/to-json-schema', { cause });
  });
  return toStandardJsonSchema(schema as Parameters<typeof toStandardJsonSchema>[0]);
}

function convert(vendor: string, { input }: StandardJSONSchemaV1.Converter): Record<string, unknown> {
  try {
    return input({ target: 'draft-2020-12', libraryOptions: LIBRARY_OPTIONS[vendor] });
  } catch (cause) {
    const words = describeThrown(cause).message;
    throw new Error(
      `${vendor} cannot write it as JSON Schema: ${words.replace(/\.$/, '')}. ` +
        'Take what JSON can hold, such as a string, and convert it in a transform',
      { cause },
    );
  }
}

/**
 * What a library has to be told so that its JSON Schema is as strict as JSON allows: nothing that JSON cannot hold
 * becomes a schema that takes anything, and a check that JSON Schema has no word for is left to the library.
 */
const LIBRARY_OPTIONS: Readonly<Record<string, Record<string, unknown>>> = {
  arktype: { fallback: { date: refuse, domain: refuse, proto: refuse, unit: refuse } },
  valibot: { overrideAction: leaveToLibrary },
};

/** A part of a type that arktype has no JSON Schema for. */
interface ArkPart {
  readonly code: string;
  readonly domain?: string;
  readonly proto?: { readonly name: string };
  readonly unit?: unknown;
}

function refuse({ code, domain, proto, unit }: ArkPart): never {
  throw new Error(
    `${proto?.name ?? domain ?? (code === 'unit' ? String(unit) : 'Date')} has no form in JSON`,
  );
}

/** A step of a valibot pipe that has no word in JSON Schema adds nothing to the schema up to it. */
function leaveToLibrary({ jsonSchema }: { readonly jsonSchema: object }): object {
  return jsonSchema;
}
