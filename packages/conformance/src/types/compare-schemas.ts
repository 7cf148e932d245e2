import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { messageOf } from '../message-of.js';
import type { Json } from './json-shape.js';
import { mutate } from './mutate.js';
import { randomFrom, type Random } from './random.js';
import { sample } from './sample.js';
import { defaultedNames, withoutClosing, withoutDemanding, withoutRequired } from './without-keywords.js';

const INSTANCES = 30;
const ATTEMPTS = 600;

const SETTINGS: Options = { strict: false, validateFormats: false, logger: false };

/** Both schemas of one type, ready to be asked. */
interface Pair {
  readonly expected: ValidateFunction;
  readonly derived: ValidateFunction;
}

/**
 * Says in what instance two schemas first part, the first of draft 7 and the second of 2020-12, by some 30 that the
 * first allows and some 30 spoilt ones; undefined where they agree on all. Conventions are not compared: whether
 * unknown keys are allowed, and whether what has a default may be absent. Of a type without any value that ends, as
 * much is compared as there is of one.
 */
export function compareSchemas(expected: Json, derived: Json, seed: number): string | undefined {
  const fault = faultOf(derived);
  if (fault !== undefined) return fault;
  const names = new Set([...defaultedNames(expected), ...defaultedNames(derived)]);
  const wanted = withoutDemanding(withoutIdentity(expected), names);
  const actual = withoutDemanding(derived, names);
  try {
    const compared =
      compareBy(wanted, actual, randomFrom(seed)) ??
      compareBy(withoutRequired(wanted), withoutRequired(actual), randomFrom(seed));
    return compared ? compared.reason : 'no instance of what is expected could be made';
  } catch (error) {
    return `Ajv refuses what is expected: ${messageOf(error)}`;
  }
}

/** Some values that a schema of draft 7 allows; none where none could be made. */
export function valuesOf(expected: Json, seed: number): unknown[] {
  try {
    const schema = withoutIdentity(expected);
    return instancesOf(schema, new Ajv(SETTINGS).compile(schema), randomFrom(seed));
  } catch {
    return [];
  }
}

function faultOf(derived: Json): string | undefined {
  try {
    new Ajv2020(SETTINGS).compile(derived);
    return undefined;
  } catch (error) {
    return `Ajv refuses the schema: ${messageOf(error)}`;
  }
}

/** Undefined where there is no instance to compare by. */
function compareBy(expected: Json, derived: Json, random: Random): { reason?: string } | undefined {
  const strict = pairOf(expected, derived);
  const valid = instancesOf(expected, strict.expected, random);
  if (valid.length === 0) return undefined;
  const open = pairOf(withoutClosing(expected), withoutClosing(derived));
  const reason = firstParted(strict, valid) ?? firstParted(open, spoiltOf(valid, random));
  return reason === undefined ? {} : { reason };
}

function pairOf(expected: Json, derived: Json): Pair {
  return { expected: new Ajv(SETTINGS).compile(expected), derived: new Ajv2020(SETTINGS).compile(derived) };
}

function instancesOf(schema: Json, allows: ValidateFunction, random: Random): unknown[] {
  const found: unknown[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && found.length < INSTANCES; attempt += 1) {
    const instance = sample(schema, random);
    if (allows(instance)) found.push(instance);
  }
  return found;
}

function spoiltOf(valid: readonly unknown[], random: Random): unknown[] {
  return Array.from({ length: INSTANCES }, (_, index) => mutate(valid[index % valid.length], random));
}

function firstParted({ expected, derived }: Pair, instances: readonly unknown[]): string | undefined {
  const parted = instances.find((instance) => expected(instance) !== derived(instance));
  if (parted === undefined) return undefined;
  const shown = JSON.stringify(parted);
  return derived(parted)
    ? `takes ${shown}, but ${reasonOf(expected)}`
    : `refuses ${shown}: ${reasonOf(derived)}`;
}

/** Without the identity of the whole, against which its references would be read. */
function withoutIdentity({ $id: _, ...schema }: Json): Json {
  return schema;
}

function reasonOf({ errors }: ValidateFunction): string {
  const [first] = errors ?? [];
  return first ? `${first.instancePath || 'it'} ${first.message ?? ''}` : '';
}
