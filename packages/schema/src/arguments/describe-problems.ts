import { shortened, shownName } from '../names/check-name.js';
import { composedKey } from '../names/composed-key.js';
import { isSecretName } from '../json/log-redaction.js';
import { asSchema, type JsonSchema, propertiesOf } from '../reader/schema-parts.js';
import { nearestNames } from '../options/nearest-names.js';
import type { SchemaFault } from './schema-fault.js';

const ECHOES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'if']);

/** The most problems that are reported at once; more would not help the model. */
const MOST_PROBLEMS = 20;

/** The others are only counted: a model may invent any number of arguments. */
const MOST_DESCRIBED = 200;

/** What problems are told of, in the words of whoever wrote the value. */
export interface ProblemWords {
  /** The value as a whole: `the arguments`. */
  readonly whole: string;
  /** One of its properties, without an article: `parameter`. */
  readonly property: string;
}

const OF_ARGUMENTS: ProblemWords = { whole: 'the arguments', property: 'parameter' };

/** The words for the answer of a model that has to fit a schema. */
export const OF_ANSWER: ProblemWords = { whole: 'the answer', property: 'property' };

/** Everything that is wrong with arguments, or with another value, a sentence each. */
export function describeProblems(
  errors: readonly SchemaFault[],
  words: ProblemWords = OF_ARGUMENTS,
): readonly string[] {
  const telling = withoutEchoes(errors);
  const described = telling.slice(0, MOST_DESCRIBED);
  const problems = [...new Set(byUnion(described).map((group) => describeTogether(group, words)))];
  const left = problems.length - MOST_PROBLEMS + (telling.length - described.length);
  return left > 0 ? [...problems.slice(0, MOST_PROBLEMS), `and ${String(left)} more of the kind`] : problems;
}

/** A failed `anyOf` or `oneOf` repeats the faults of each of its branches: the branch's own say more. */
function withoutEchoes(errors: readonly SchemaFault[]): readonly SchemaFault[] {
  const telling = errors.filter(({ keyword }) => !ECHOES.has(keyword));
  return telling.length > 0 ? telling : errors;
}

/** The demands of the members of one union stand together, in the place of the first. */
function byUnion(errors: readonly SchemaFault[]): readonly (readonly SchemaFault[])[] {
  const groups = new Map<unknown, SchemaFault[]>();
  for (const error of errors) {
    const [, union] = /^(.*\/(?:anyOf|oneOf))\/\d+\/(?:type|enum|const)$/.exec(error.schemaPath) ?? [];
    const key = union === undefined ? error : composedKey(error.instancePath, union);
    const group = groups.get(key);
    if (!group) groups.set(key, [error]);
    else group.push(error);
  }
  return [...groups.values()];
}

function describeTogether(errors: readonly SchemaFault[], words: ProblemWords): string {
  const [first, ...others] = errors as readonly [SchemaFault, ...SchemaFault[]];
  if (others.length === 0) return describeProblem(first, words);
  const steps = stepsOf(first.instancePath);
  const demands = errors.flatMap(({ keyword, params, data }) =>
    keyword === 'type' ? [params['type']].flat().map(String) : [demandOf(keyword, params, data)],
  );
  return `${argumentPath(steps, words)} must be ${[...new Set(demands)].join(' or ')}, not ${shownValue(first.data, steps)}`;
}

type Params = Readonly<Record<string, unknown>>;

function demandOf(keyword: string, params: Params, given: unknown): string {
  if (keyword === 'type') return typeNames(params['type']);
  if (keyword === 'const') return shownValue(params['allowedValue']);
  return `one of ${allowed(params['allowedValues'] as unknown[], given)}`;
}

/** Describes one fault for the model: path, allowed values, actual value, example. */
export function describeProblem(error: SchemaFault, words: ProblemWords = OF_ARGUMENTS): string {
  const steps = stepsOf(error.instancePath);
  const where = argumentPath(steps, words);
  const params = error.params;
  const schema = (error.parentSchema ?? {}) as JsonSchema;
  const shown = (value: unknown): string => shownValue(value, steps, schema);
  const example = exampleOf(schema, steps);
  switch (error.keyword) {
    case 'required':
      return missing(steps, String(params['missingProperty']), schema);
    case 'additionalProperties':
      return unknown(steps, String(params['additionalProperty']), schema, error.data as object, words);
    case 'unevaluatedProperties':
      return unknown(steps, String(params['unevaluatedProperty']), schema, error.data as object, words);
    case 'enum':
    case 'type':
      return `${where} must be ${demandOf(error.keyword, params, error.data)}, not ${shown(error.data)}${example}`;
    case 'const':
      return `${where} must be ${demandOf(error.keyword, params, error.data)}, not ${shown(error.data)}`;
    case 'format':
      return `${where} ${error.message ?? 'has another format'}, and is ${shown(error.data)}${example || exampleOfFormat(schema)}`;
    default:
      return `${where} ${error.message ?? `fails "${error.keyword}"`}, and is ${shown(error.data)}${example}`;
  }
}

function missing(steps: readonly string[], name: string, owner: JsonSchema): string {
  const path = [...steps, name];
  return `${argumentPath(path)} is required and missing${exampleOf(propertiesOf(owner).get(name) ?? {}, path)}`;
}

/** Any two shorter names are a slip apart. */
const SHORTEST_SLIP = 3;

/** A name that is not there is often another one's misspelling. */
function unknown(
  steps: readonly string[],
  name: string,
  owner: JsonSchema,
  given: object,
  { property }: ProblemWords,
): string {
  const known = Object.keys(asSchema(owner['properties']) ?? {});
  const free = known.filter((name) => !Object.hasOwn(given, name));
  const [nearest] = name.length < SHORTEST_SLIP ? [] : nearestNames(name, free);
  return `${argumentPath([...steps, name])} is not a ${property}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`;
}

function exampleOf({ examples }: JsonSchema, path: readonly string[]): string {
  if (!Array.isArray(examples) || examples.length === 0) return '';
  return `, for example ${shownValue(examples[0], path)}`;
}

/** Texts that models often leave incomplete: without an offset, or without a time. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'date-time': '"2026-11-23T10:00:00Z" or "2026-11-23T10:00:00+01:00"',
  date: '"2026-11-23"',
  time: '"10:00:00Z" or "10:00:00+01:00"',
};

function exampleOfFormat({ format }: JsonSchema): string {
  const example =
    typeof format === 'string' && Object.hasOwn(EXAMPLES, format) ? EXAMPLES[format] : undefined;
  return example === undefined ? '' : `, for example ${example}`;
}

function typeNames(type: unknown): string {
  return Array.isArray(type) ? type.join(' or ') : String(type);
}

const MOST_VALUES = 20;

/** The values that may be there; of a long list those that are most like the one that was. */
function allowed(values: readonly unknown[], given: unknown): string {
  const texts = values.filter((value) => typeof value === 'string');
  const nearest = typeof given === 'string' && values.length > MOST_VALUES ? nearestNames(given, texts) : [];
  const ordered = [...new Set([...nearest, ...values])];
  const shown = ordered.slice(0, MOST_VALUES).map((value) => shownValue(value));
  const left = ordered.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${String(left)} more` : shown.join(', ');
}

const LONGEST_VALUE = 60;

const HIDDEN = '(hidden)';

/**
 * A value as JSON, for a sentence about it: cut, since a long one may be anything, and hidden where its name, a name on
 * the way to it, or its schema says that it is a secret.
 */
export function shownValue(value: unknown, path: readonly string[] = [], schema: JsonSchema = {}): string {
  const isSecret = schema['format'] === 'password' || schema['writeOnly'] === true;
  if (isSecret || path.some(isSecretName) || isSecretText(value)) return HIDDEN;
  const text = (JSON.stringify(value, withoutSecrets) as string | undefined) ?? 'nothing';
  return shortened(text, LONGEST_VALUE);
}

/** JSON or a header written as text. */
function isSecretText(value: unknown): boolean {
  return typeof value === 'string' && /[:=]/.test(value) && value.split(/[^\w-]/).some(isSecretName);
}

function withoutSecrets(this: unknown, name: string, value: unknown): unknown {
  return !Array.isArray(this) && isSecretName(name) ? HIDDEN : value;
}

/** How a place in the arguments is named to a model: `items[0].id`; the arguments as a whole are named so. */
export function argumentPath(steps: readonly PropertyKey[], { whole }: ProblemWords = OF_ARGUMENTS): string {
  const path = steps.map(shownStep).reduce(joinStep, '') || whole;
  return shortened(path, LONGEST);
}

/** Paths that a model invented are truncated. */
const LONGEST = 300;

function shownStep(step: PropertyKey): string {
  return shownName(String(step));
}

function joinStep(path: string, step: string): string {
  if (/^\d+$/.test(step)) return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}

/** The steps of a JSON pointer (RFC 6901): `/items/0/a~1b` leads to `items`, `0`, `a/b`. */
function stepsOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeStep);
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
