import type { ClassReference } from '../../metadata/class-metadata.js';
import { argumentPath } from '../../schema/argument-path.js';
import type { JsonSchema } from '../../schema/json-schema.js';
import type {
  ChoiceRevival,
  ClassRevival,
  JsonType,
  ListRevival,
  ObjectRevival,
  Revival,
} from '../../schema/revival.js';
import type { RevivalFaults } from './revival-faults.js';
import { reviveLeaf } from './revive-leaf.js';

/** An instance that was made, with where in the arguments it is. */
export interface MadeInstance {
  readonly instance: object;
  readonly path: readonly string[];
}

/** What values are made with. */
export interface RevivalTools {
  readonly plans: Readonly<Record<string, Revival>>;
  readonly faults: RevivalFaults;
  /** What was made so far, outermost first. */
  readonly made: MadeInstance[];
  /** The class of that name; undefined where only class-transformer makes its instances. */
  classNamed(name: string): ClassReference | undefined;
  toInstance(type: ClassReference, value: object): object;
  fits(schema: JsonSchema, value: unknown): boolean;
}

/**
 * Makes of JSON what its type promises. What is there already is left alone, so that it may run over what
 * class-transformer has made in part.
 *
 * @param value a copy: objects and lists in it are changed in place
 */
export function reviveValue(
  plan: Revival,
  value: unknown,
  path: readonly string[],
  tools: RevivalTools,
): unknown {
  if (value === undefined || value === null) return value;
  switch (plan.kind) {
    case 'reference':
      return reviveNamed(plan.name, value, path, tools);
    case 'choice':
      return reviveChoice(plan, value, path, tools);
    case 'list':
      return Array.isArray(value) ? reviveList(plan, value, path, tools) : value;
    case 'object':
      return isObject(value) ? reviveProperties(plan, value, path, tools) : value;
    case 'class':
      return isObject(value) ? reviveInstance(plan, value, path, tools) : value;
    default: {
      if (typeof value !== 'string' && typeof value !== 'number') return value;
      const revived = reviveLeaf(plan, value, path);
      if ('value' in revived) return revived.value;
      tools.faults.add(`${argumentPath(path)} ${revived.problem}`);
      return undefined;
    }
  }
}

function reviveNamed(name: string, value: unknown, path: readonly string[], tools: RevivalTools): unknown {
  const plan = tools.plans[name];
  return plan === undefined ? value : reviveValue(plan, value, path, tools);
}

function reviveList(
  { first = [], rest }: ListRevival,
  list: unknown[],
  path: readonly string[],
  tools: RevivalTools,
): unknown {
  for (const [index, element] of list.entries()) {
    const plan = index < first.length ? first[index] : rest;
    if (plan) list[index] = reviveValue(plan, element, [...path, String(index)], tools);
  }
  return list;
}

interface NamedParts extends Omit<ObjectRevival, 'kind'> {
  readonly sentAs?: Readonly<Record<string, string>>;
}

function reviveProperties(
  parts: NamedParts,
  object: Record<string, unknown>,
  path: readonly string[],
  tools: RevivalTools,
): object {
  for (const [name, value] of Object.entries(object)) {
    const plan = planFor(name, parts);
    if (plan === undefined) continue;
    const revived = reviveValue(plan, value, [...path, parts.sentAs?.[name] ?? name], tools);
    if (revived !== value) object[name] = revived;
  }
  return object;
}

function planFor(name: string, { properties = {}, patterns = {}, others }: NamedParts): Revival | undefined {
  if (Object.hasOwn(properties, name)) return properties[name];
  const pattern = Object.keys(patterns).find((one) => new RegExp(one, 'u').test(name));
  return pattern === undefined ? others : patterns[pattern];
}

/** Made by class-transformer first, whose decorators may do part of it, and then by the plan. */
function reviveInstance(
  plan: ClassRevival,
  given: Record<string, unknown>,
  path: readonly string[],
  tools: RevivalTools,
): unknown {
  const type = isPlain(given) ? tools.classNamed(plan.class) : undefined;
  const instance = type === undefined ? given : (tools.toInstance(type, given) as Record<string, unknown>);
  if (!isPlain(instance)) tools.made.push({ instance, path });
  return reviveProperties(plan, instance, path, tools);
}

function reviveChoice(
  { branches }: ChoiceRevival,
  value: unknown,
  path: readonly string[],
  tools: RevivalTools,
): unknown {
  const type = typeOf(value);
  const candidates = branches.filter(({ types }) => types.includes(type));
  const isOneOf = (schema: JsonSchema | undefined): boolean =>
    schema === undefined || candidates.length === 1 || tools.fits(schema, value);
  const chosen = isMade(value)
    ? candidates.find(({ revive }) => revive !== undefined)
    : candidates.find(({ schema }) => isOneOf(schema));
  return chosen?.revive === undefined ? value : reviveValue(chosen.revive, value, path, tools);
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

/** As JSON.parse gives it. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
