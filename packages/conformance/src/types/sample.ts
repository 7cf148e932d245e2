import { asJson, asList, isJson, type Json } from './json-shape.js';
import { between, pick, type Random } from './random.js';
import { sampleText } from './sample-text.js';

/** From here on only what has to be there is made, so that types that contain themselves end. */
const DEEP = 5;

/** Here a schema that demands itself is given up, and so it is where it grows too wide. */
const DEEPEST = 20;
const MOST_PARTS = 400;

const ANYTHING: readonly unknown[] = ['text', 7, true, null, ['text'], { key: 'text' }];

/**
 * A value that a schema of draft 7 probably allows: where keywords contradict or need one another it may not, so
 * validate it. Numbers are whole ones.
 */
export function sample(root: Json, random: Random): unknown {
  let parts = 0;
  const inner = (schema: unknown, depth: number): unknown => {
    parts += 1;
    if (!isJson(schema) || depth > DEEPEST || parts > MOST_PARTS) return pick(ANYTHING, random);
    if (typeof schema['$ref'] === 'string') return inner(resolve(schema['$ref'], root), depth + 1);
    if ('const' in schema) return schema['const'];
    if (Array.isArray(schema['enum'])) return pick(schema['enum'], random);
    return combined(sampleParts(schema, random, depth, inner));
  };
  return inner(root, 0);
}

/** One for what the schema says itself, and one for each schema that it takes in. */
function sampleParts(schema: Json, random: Random, depth: number, inner: Inner): unknown[] {
  const all = asList(schema['allOf']).map(asJson);
  const choices = [
    asList(schema['anyOf'] ?? schema['oneOf']),
    all.flatMap(({ then }) => (then === undefined ? [] : [then])),
  ];
  const chosen = choices.filter(({ length }) => length > 0).map((some) => pick(some, random));
  const always = all.filter(({ then }) => then === undefined);
  const parts = [...always, ...chosen].map((part) => inner(part, depth + 1));
  const typed = 'type' in schema || parts.length === 0;
  return typed ? [sampleOfType(schema, random, depth, inner), ...parts] : parts;
}

type Inner = (schema: unknown, depth: number) => unknown;

/** What a reference within the schema points to. */
export function resolve(reference: string, root: Json): unknown {
  const steps = decodeURIComponent(reference).split('/').slice(1);
  return steps.reduce<unknown>(
    (part, step) => asJson(part)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    root,
  );
}

/** Objects add up; of anything else the last holds. */
function combined(parts: readonly unknown[]): unknown {
  if (parts.every(isJson)) return Object.assign({}, ...parts) as unknown;
  return parts.at(-1);
}

function sampleOfType(schema: Json, random: Random, depth: number, inner: Inner): unknown {
  const type = pick(asList(schema['type']), random) ?? (isObjectLike(schema) ? 'object' : undefined);
  if (type === 'object') return sampleObject(schema, random, depth, inner);
  if (type === 'array') return sampleArray(schema, random, depth, inner);
  if (type === 'string') return sampleText(schema, random);
  if (type === 'number' || type === 'integer') return sampleNumber(schema, random);
  if (type === 'boolean') return random() < 0.5;
  return type === 'null' ? null : pick(ANYTHING, random);
}

function isObjectLike(schema: Json): boolean {
  return 'properties' in schema || 'required' in schema || 'patternProperties' in schema;
}

function sampleObject(schema: Json, random: Random, depth: number, inner: Inner): Json {
  const required = asList(schema['required']);
  const chance = depth > DEEP ? 0 : 0.6;
  const made = (name: string): boolean => required.includes(name) || random() < chance;
  const entries = [
    ...Object.entries(asJson(schema['properties'])).filter(([name]) => made(name)),
    ...furtherEntries(schema, random).filter(([name]) => made(name)),
  ];
  return Object.fromEntries(entries.map(([name, part]) => [name, inner(part, depth + 1)]));
}

/** Keys that stand in no list of properties, where the schema says in so many words what they hold. */
function furtherEntries(schema: Json, random: Random): [string, unknown][] {
  const { additionalProperties: further, patternProperties } = schema;
  const matching = Object.entries(asJson(patternProperties)).map(([pattern, part]): [string, unknown] => [
    sampleText({ pattern }, random),
    part,
  ]);
  const free = further === true || isJson(further) ? ['further', 'another'] : [];
  return [...matching, ...free.map((name): [string, unknown] => [name, further])];
}

function sampleArray(schema: Json, random: Random, depth: number, inner: Inner): unknown[] {
  const { items, additionalItems } = schema;
  const fixed = Array.isArray(items) ? (items as readonly unknown[]) : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  const least = Number(schema['minItems'] ?? 0);
  const most = Number(
    schema['maxItems'] ?? (rest === false ? fixed.length : Math.max(least, fixed.length) + 2),
  );
  const length = between(least, Math.max(least, most), random);
  return Array.from({ length: depth > DEEP ? least : length }, (_, index) =>
    inner(index < fixed.length ? fixed[index] : rest, depth + 1),
  );
}

function sampleNumber(schema: Json, random: Random): number {
  const step = Number(schema['multipleOf'] ?? 1);
  const least = Number(schema['minimum'] ?? Number(schema['exclusiveMinimum'] ?? -1) + 1);
  const most = Number(schema['maximum'] ?? Number(schema['exclusiveMaximum'] ?? least + 21) - 1);
  return Math.ceil(between(least, most, random) / step) * step;
}
