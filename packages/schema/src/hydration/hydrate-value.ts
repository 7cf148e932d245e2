import { decodeBase64 } from '../json/base64.js';
import type { ClassReference } from '../metadata/class-metadata.js';
import { argumentPath, shownValue } from '../arguments/describe-problems.js';
import type {
  BytesName,
  ChoiceHydration,
  ClassHydration,
  Hydration,
  JsonType,
  LeafHydration,
  ListHydration,
  ObjectHydration,
} from '../derived/derived-class.js';
import type { JsonSchema } from '../reader/schema-parts.js';
import { ToolArgumentsInvalidError } from '../arguments/argument-errors.js';

/** A constructed instance and its path in the arguments. */
export interface MadeInstance {
  readonly instance: object;
  readonly path: readonly string[];
}

/** The dependencies of `hydrateValue`. */
export interface HydrationTools {
  readonly plans: Readonly<Record<string, Hydration>>;
  readonly faults: HydrationFaults;
  /** The instances constructed so far, outermost first. */
  readonly made: MadeInstance[];
  /** The class with that name; undefined if class-transformer alone constructs its instances. */
  classNamed(name: string): ClassReference | undefined;
  toInstance(type: ClassReference, value: object): object;
  fits(schema: JsonSchema, value: unknown): boolean;
}

/** Problems in the arguments of one call that the schema cannot express, without duplicates. */
export class HydrationFaults {
  private readonly problems = new Set<string>();

  /** Notes a problem, a sentence for the model without its full stop. */
  add(problem: string): void {
    this.problems.add(problem);
  }

  /** The problems, in the order in which they were found. */
  get all(): readonly string[] {
    return [...this.problems];
  }

  /**
   * Ends the call if there are problems.
   *
   * @throws {ToolArgumentsInvalidError}
   */
  throwAny(toolName: string): void {
    if (this.problems.size > 0) throw new ToolArgumentsInvalidError(toolName, [...this.problems]);
  }
}

/**
 * Converts JSON to the value of its type. Values that are converted already are kept, so it can complete what
 * class-transformer has converted in part.
 *
 * @param value a copy; its objects and arrays are modified in place
 */
export function hydrateValue(
  plan: Hydration,
  value: unknown,
  path: readonly string[],
  tools: HydrationTools,
): unknown {
  if (value === undefined || value === null) return value;
  switch (plan.kind) {
    case 'reference':
      return hydrateNamed(plan.name, value, path, tools);
    case 'choice':
      return hydrateChoice(plan, value, path, tools);
    case 'list':
      return Array.isArray(value) ? hydrateList(plan, value, path, tools) : value;
    case 'object':
      return isObject(value) ? hydrateProperties(plan, value, path, tools) : value;
    case 'class':
      return isObject(value) ? hydrateInstance(plan, value, path, tools) : value;
    default: {
      if (typeof value !== 'string' && typeof value !== 'number') return value;
      const hydrated = hydrateLeaf(plan, value, path);
      if ('value' in hydrated) return hydrated.value;
      tools.faults.add(`${argumentPath(path)} ${hydrated.problem}`);
      return undefined;
    }
  }
}

function hydrateNamed(name: string, value: unknown, path: readonly string[], tools: HydrationTools): unknown {
  const plan = tools.plans[name];
  return plan ? hydrateValue(plan, value, path, tools) : value;
}

function hydrateList(
  { first = [], rest }: ListHydration,
  list: unknown[],
  path: readonly string[],
  tools: HydrationTools,
): unknown {
  for (const [index, element] of list.entries()) {
    const plan = index < first.length ? first[index] : rest;
    if (plan) list[index] = hydrateValue(plan, element, [...path, String(index)], tools);
  }
  return list;
}

interface NamedParts extends Omit<ObjectHydration, 'kind'> {
  readonly sentAs?: Readonly<Record<string, string>>;
}

function hydrateProperties(
  parts: NamedParts,
  object: Record<string, unknown>,
  path: readonly string[],
  tools: HydrationTools,
): object {
  for (const [name, value] of Object.entries(object)) {
    const plan = planFor(name, parts);
    if (!plan) continue;
    const hydrated = hydrateValue(plan, value, [...path, parts.sentAs?.[name] ?? name], tools);
    if (hydrated !== value) object[name] = hydrated;
  }
  return object;
}

function planFor(
  name: string,
  { properties = {}, patterns = {}, others }: NamedParts,
): Hydration | undefined {
  if (Object.hasOwn(properties, name)) return properties[name];
  const pattern = Object.keys(patterns).find((one) => new RegExp(one, 'u').test(name));
  return pattern === undefined ? others : patterns[pattern];
}

/** Constructs an instance with class-transformer, then applies the plan to its properties. */
function hydrateInstance(
  plan: ClassHydration,
  given: Record<string, unknown>,
  path: readonly string[],
  tools: HydrationTools,
): unknown {
  const type = isPlain(given) ? tools.classNamed(plan.class) : undefined;
  const instance = type ? (tools.toInstance(type, given) as Record<string, unknown>) : given;
  if (!isPlain(instance)) tools.made.push({ instance, path });
  return hydrateProperties(plan, instance, path, tools);
}

function hydrateChoice(
  { branches }: ChoiceHydration,
  value: unknown,
  path: readonly string[],
  tools: HydrationTools,
): unknown {
  const type = typeOf(value);
  const candidates = branches.filter(({ types }) => types.includes(type));
  const isOneOf = (schema: JsonSchema | undefined): boolean =>
    schema === undefined || candidates.length === 1 || tools.fits(schema, value);
  const chosen = isMade(value)
    ? candidates.find(({ revive }) => revive !== undefined)
    : candidates.find(({ schema }) => isOneOf(schema));
  return chosen?.revive ? hydrateValue(chosen.revive, value, path, tools) : value;
}

function typeOf(value: unknown): JsonType {
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMade(value: unknown): boolean {
  return isObject(value) && !isPlain(value);
}

/** True for an object as JSON.parse returns it. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The converted value, or the problem. */
type HydratedLeaf = { readonly value: unknown } | { readonly problem: string };

function hydrateLeaf(plan: LeafHydration, given: string | number, path: readonly string[]): HydratedLeaf {
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

function hydrateBytes(as: BytesName, text: string): HydratedLeaf {
  const bytes = decodeBase64(text.replace(/[\r\n]+/g, ''));
  if (!bytes) return { problem: 'must be base64' };
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
