import { asJson, asList, isJson, type Json } from '../types/json-shape.js';
import { resolve } from '../types/sample.js';

/** A schema with the document that its references are relative to. */
export interface PlacedSchema {
  readonly schema: unknown;
  readonly root: Json;
}

/** Schemas stand no deeper in what is compared. */
const DEEPEST = 8;
const MOST_FAULTS = 5;

/**
 * What a declared schema has lost of the one that the document has, or added to it: properties, required ones, types and
 * enums, at every level. The composition of schemas may differ; what they come to may not.
 */
export function schemaDifferences(expected: PlacedSchema, declared: PlacedSchema, place: string): string[] {
  const faults: string[] = [];
  compare({ expected, declared, place, depth: 0 }, faults);
  return faults.slice(0, MOST_FAULTS);
}

interface Pair {
  readonly expected: PlacedSchema;
  readonly declared: PlacedSchema;
  readonly place: string;
  readonly depth: number;
}

function compare({ expected, declared, place, depth }: Pair, faults: string[]): void {
  if (depth > DEEPEST || faults.length >= MOST_FAULTS) return;
  const [wanted, found] = [flatten(expected), flatten(declared)];
  if (found.words !== undefined && found.properties.size === 0 && wanted.properties.size > 0) {
    faults.push(...lostInWords(wanted, found.words).map((name) => `${place}.${name} is not told`));
    return;
  }
  for (const name of wanted.properties.keys())
    if (!found.properties.has(name)) faults.push(`${place}.${name} is lost`);
  for (const name of found.properties.keys())
    if (!wanted.properties.has(name) && !wanted.required.has(name) && !wanted.selectors.has(name))
      faults.push(`${place}.${name} is not in the document`);
  if (!wanted.isChoice) faults.push(...unlike('required', wanted.required, found.required, place));
  if (wanted.types.size > 0) faults.push(...unlike('type', wanted.types, found.types, place));
  if (found.words === undefined) faults.push(...unlike('enum', wanted.values, found.values, place));
  for (const [name, schemas] of wanted.properties) {
    const [own, other] = [schemas, found.properties.get(name)];
    if (other) compare(pairOf(own, other, `${place}.${name}`, depth), faults);
  }
  if (wanted.items.length > 0) {
    if (found.items.length === 0) faults.push(`${place}[] is lost`);
    else compare(pairOf(wanted.items, found.items, `${place}[]`, depth), faults);
  }
}

function pairOf(expected: PlacedSchema[], declared: PlacedSchema[], place: string, depth: number): Pair {
  return { expected: anyOf(expected), declared: anyOf(declared), place, depth: depth + 1 };
}

/** Several schemas of one property, in whichever branches they stand, are compared as one. */
function anyOf(schemas: readonly PlacedSchema[]): PlacedSchema {
  const [first = { schema: {}, root: {} }] = schemas;
  return schemas.length === 1
    ? first
    : { schema: { anyOf: schemas.map(({ schema }) => schema) }, root: first.root };
}

function unlike(
  what: string,
  wanted: ReadonlySet<string>,
  found: ReadonlySet<string>,
  place: string,
): string[] {
  const lost = [...wanted].filter((one) => !found.has(one));
  const added = [...found].filter((one) => !wanted.has(one));
  if (lost.length === 0 && added.length === 0) return [];
  return [`${what} of ${place}: lost ${lost.slice(0, 5).join()}; added ${added.slice(0, 5).join()}`];
}

/** What a schema and its compositions come to. */
interface Flattened {
  readonly properties: Map<string, PlacedSchema[]>;
  readonly required: Set<string>;
  readonly types: Set<string>;
  readonly values: Set<string>;
  readonly items: PlacedSchema[];
  /** Properties by which a branch is selected. */
  readonly selectors: Set<string>;
  isChoice: boolean;
  /** The description of a level that is told in words. */
  words: string | undefined;
}

function flatten({ schema, root }: PlacedSchema): Flattened {
  const flat: Flattened = {
    properties: new Map(),
    required: new Set(),
    types: new Set(),
    values: new Set(),
    items: [],
    selectors: new Set(),
    isChoice: false,
    words: undefined,
  };
  const seen = new Set<unknown>();
  const add = (part: unknown): void => {
    if (!isJson(part) || seen.has(part)) return;
    seen.add(part);
    if (typeof part['$ref'] === 'string') add(resolve(part['$ref'], root));
    addOwn(flat, part, root);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      if (keyword !== 'allOf' && keyword in part) flat.isChoice = true;
      asList(part[keyword]).forEach(add);
    }
  };
  add(schema);
  // A value that may be null has no other meaning in an enum or beside it.
  flat.values.delete('null');
  flat.types.delete('null');
  return flat;
}

function addOwn(flat: Flattened, part: Json, root: Json): void {
  for (const [name, schema] of Object.entries(asJson(part['properties'])))
    flat.properties.set(name, [...(flat.properties.get(name) ?? []), { schema, root }]);
  for (const name of asList(part['required'])) flat.required.add(String(name));
  // Swagger's type of a file is a text elsewhere.
  for (const type of [part['type']].flat())
    if (typeof type === 'string') flat.types.add(type === 'file' ? 'string' : type);
  const values = 'const' in part ? [part['const']] : asList(part['enum']);
  for (const value of values) flat.values.add(JSON.stringify(value));
  if (isJson(part['items'])) flat.items.push({ schema: part['items'], root });
  const selector = asJson(part['discriminator'])['propertyName'];
  if (typeof selector === 'string') flat.selectors.add(selector);
  const { description } = part;
  if (typeof description === 'string' && /(Properties: |One of \d+ values)/.test(description))
    flat.words = description;
}

/** Names that a description does not have, as far as it goes. */
function lostInWords({ properties }: Flattened, words: string): string[] {
  if (words.includes('…')) return [];
  return [...properties.keys()].filter((name) => !words.includes(name));
}
