import { isJson } from './json-shape.js';

/** What a schema may say without saying anything of the value. */
const WORDS = new Set(['description', 'title', 'default', 'examples', 'deprecated']);
const BY_NAME = ['properties', 'patternProperties', '$defs'];
const OF_ONE = ['items', 'additionalProperties', 'not'];
const OF_SEVERAL = ['anyOf', 'allOf', 'oneOf', 'prefixItems'];

/** Where a schema allows anything though no source says `any` or `unknown`; undefined where it nowhere does. */
export function silentlyEmpty(schema: unknown, sources: readonly string[]): string | undefined {
  if (sources.some((source) => /\b(any|unknown)\b/.test(source))) return undefined;
  const place = emptyPlace(schema, '$');
  return place && `allows anything at ${place}, and no source says so`;
}

function emptyPlace(schema: unknown, path: string): string | undefined {
  if (!isJson(schema)) return undefined;
  if (Object.keys(schema).every((key) => WORDS.has(key))) return path;
  const parts = [
    ...BY_NAME.flatMap((key) => entriesOf(schema[key], `${path}.${key}`)),
    ...OF_ONE.map((key) => [`${path}.${key}`, schema[key]] as const),
    ...OF_SEVERAL.flatMap((key) => entriesOf(schema[key], `${path}.${key}`)),
  ];
  for (const [place, part] of parts) {
    const found = emptyPlace(part, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function entriesOf(value: unknown, path: string): (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, part]): readonly [string, unknown] => [`${path}.${key}`, part]);
}
