import { asJson, asList, isJson, type Json } from './json-shape.js';

/** Keywords whose values are data. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords whose values are schemas by names, which may be called like a keyword. */
const BY_NAME = new Set(['properties', 'patternProperties', 'definitions', '$defs']);

type Edit = (keyword: string, value: unknown) => unknown;

/** A schema in which objects are not closed: whether keys that no type names are refused is a convention. */
export function withoutClosing(schema: Json): Json {
  return edited(schema, (keyword, value) =>
    keyword === 'additionalProperties' && value === false ? undefined : value,
  );
}

/** A schema that demands none of these properties. */
export function withoutDemanding(schema: Json, names: ReadonlySet<string>): Json {
  return edited(schema, (keyword, value) =>
    keyword === 'required' ? asList(value).filter((name) => !names.has(String(name))) : value,
  );
}

/** The names of all properties, at any depth, for which a schema tells a default. */
export function defaultedNames(schema: Json): ReadonlySet<string> {
  const names = new Set<string>();
  edited(schema, (keyword, value) => {
    if (keyword === 'properties') {
      const own = Object.entries(asJson(value)).filter(([, part]) => 'default' in asJson(part));
      for (const [name] of own) names.add(name);
    }
    return value;
  });
  return names;
}

/** A schema that demands no property, for types of which no value ends. */
export function withoutRequired(schema: Json): Json {
  return edited(schema, (keyword, value) => (keyword === 'required' ? undefined : value));
}

/** Asks of each keyword what its value is to be; undefined takes it away. */
function edited(schema: Json, edit: Edit): Json {
  const entries = Object.entries(schema).map(([key, value]) => [key, edit(key, value)] as const);
  const kept = entries.filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept.map(([key, value]) => [key, inside(key, value, edit)]));
}

function inside(key: string, value: unknown, edit: Edit): unknown {
  if (DATA.has(key)) return value;
  if (Array.isArray(value)) return value.map((part) => inside('', part, edit));
  if (!isJson(value)) return value;
  if (!BY_NAME.has(key)) return edited(value, edit);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inside('', part, edit)]));
}
