import type { JsonType } from '../derived/derived-class.js';
import {
  asSchema,
  branchesOf,
  elementsOf,
  type JsonSchema,
  literalsOf,
  propertiesOf,
  requiredOf,
} from './schema-parts.js';
import type { SchemaDocument } from './schema-document.js';

/** How two schemas are compared. */
export interface DisjointOptions {
  /** True to judge lists by their elements. The empty list matches the schemas of all lists. */
  readonly ignoreEmptyLists?: boolean;
}

/** True if certainly no value matches two of the schemas; false if unknown. */
export function areDisjoint(
  schemas: readonly JsonSchema[],
  document: SchemaDocument,
  options: DisjointOptions = {},
): boolean {
  const comparison = new Comparison(document, options);
  return schemas.every((one, index) =>
    schemas.slice(index + 1).every((other) => comparison.areDisjoint(one, other)),
  );
}

/** Compares pairs of schemas of one document, each pair once. */
class Comparison {
  private readonly compared = new Map<JsonSchema, Map<JsonSchema, boolean>>();

  constructor(
    private readonly document: SchemaDocument,
    private readonly options: DisjointOptions,
  ) {}

  areDisjoint(one: JsonSchema, other: JsonSchema): boolean {
    const [left, right] = [this.document.resolve(one), this.document.resolve(other)];
    const results = this.compared.get(left) ?? new Map<JsonSchema, boolean>();
    this.compared.set(left, results);
    const known = results.get(right);
    if (known !== undefined) return known;
    results.set(right, false); // Recursive schemas meet themselves again: then they are not told apart by it.
    const isDisjoint = this.compare(left, right);
    results.set(right, isDisjoint);
    return isDisjoint;
  }

  private compare(one: JsonSchema, other: JsonSchema): boolean {
    if (haveOtherLiterals(one, other)) return true;
    const shared = this.document.typesOf(one).filter((type) => this.document.takes(other, type));
    if (shared.every((type) => this.differ(type, one, other))) return true;
    return this.isApartFromBranches(one, other) || this.isApartFromBranches(other, one);
  }

  /** True if values of one type match one of the schemas at most. */
  private differ(type: JsonType, one: JsonSchema, other: JsonSchema): boolean {
    if (type === 'string') return haveOtherForms(one, other);
    if (type === 'object') return this.haveOtherProperties(one, other);
    return type === 'array' && this.options.ignoreEmptyLists === true && this.haveOtherElements(one, other);
  }

  /** True if one requires what the other does not allow, or both require a property whose schemas are disjoint. */
  private haveOtherProperties(one: JsonSchema, other: JsonSchema): boolean {
    if (requiresUnknown(one, other) || requiresUnknown(other, one)) return true;
    const [left, right] = [propertiesOf(one), propertiesOf(other)];
    const required = requiredOf(other).filter((name) => requiredOf(one).includes(name));
    return required.some((name) => {
      const [first, second] = [left.get(name), right.get(name)];
      return first !== undefined && second !== undefined && this.areDisjoint(first, second);
    });
  }

  private haveOtherElements(one: JsonSchema, other: JsonSchema): boolean {
    const [left, right] = [one, other].map((list) => asSchema(elementsOf(list).rest));
    return left !== undefined && right !== undefined && this.areDisjoint(left, right);
  }

  private isApartFromBranches(one: JsonSchema, union: JsonSchema): boolean {
    const branches = branchesOf(union);
    return branches.length > 0 && branches.every((branch) => this.areDisjoint(one, branch));
  }
}

function haveOtherLiterals(one: JsonSchema, other: JsonSchema): boolean {
  const [left, right] = [one, other].map((schema) =>
    literalsOf(schema)?.map((literal) => JSON.stringify(literal)),
  );
  return left !== undefined && right !== undefined && !left.some((literal) => right.includes(literal));
}

/** No text has two of these formats, and none of them is a text of digits. */
const FORMATS: ReadonlySet<unknown> = new Set([
  'date',
  'date-time',
  'duration',
  'email',
  'ipv4',
  'time',
  'uri',
  'uuid',
]);

const DIGITS = /^\^(?:-\?)?(?:\\d|\[0-9\])\+\$$/;

function haveOtherForms(one: JsonSchema, other: JsonSchema): boolean {
  const [left, right] = [formOf(one), formOf(other)];
  return left !== undefined && right !== undefined && left !== right;
}

function formOf({ format, pattern }: JsonSchema): unknown {
  if (FORMATS.has(format)) return format;
  return typeof pattern === 'string' && DIGITS.test(pattern) ? 'digits' : undefined;
}

function requiresUnknown(one: JsonSchema, closed: JsonSchema): boolean {
  if (closed['additionalProperties'] !== false || 'patternProperties' in closed) return false;
  const known = asSchema(closed['properties']) ?? {};
  return requiredOf(one).some((name) => !Object.hasOwn(known, name));
}
