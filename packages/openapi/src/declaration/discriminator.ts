import { isObject, type JsonObject, objectOf, textOf } from '../document/json-object.js';
import type { BuiltSchema } from './plain-keywords.js';

/**
 * The branches of a choice, each with the value of the discriminator that selects it: the names of the mapping, else the
 * name of the schema.
 *
 * @param branches as the document has them
 * @param converted the same, converted
 */
export function withDiscriminator(
  schema: JsonObject,
  branches: readonly unknown[],
  converted: readonly BuiltSchema[],
): BuiltSchema[] {
  const { propertyName, mapping } = objectOf(schema['discriminator']);
  const property = textOf(propertyName);
  if (property === undefined) return [...converted];
  return converted.map((branch, index) => {
    const reference = referenceOf(branches[index]);
    if (reference === undefined || branch['$ref'] === undefined) return branch;
    const values = valuesFor(reference, objectOf(mapping));
    const selects = { properties: { [property]: { enum: values } }, required: [property] };
    return { allOf: [branch, selects] };
  });
}

function referenceOf(branch: unknown): string | undefined {
  return isObject(branch) ? textOf(branch['$ref']) : undefined;
}

/** A mapping leads to a reference, or to the bare name of a schema. */
function valuesFor(reference: string, mapping: JsonObject): string[] {
  const name = reference.split('/').at(-1) ?? reference;
  const mapped = Object.entries(mapping)
    .filter(([, target]) => target === reference || target === name)
    .map(([value]) => value);
  return mapped.length > 0 ? mapped : [name];
}
