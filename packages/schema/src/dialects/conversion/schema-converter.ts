import { present } from '../../json/present.js';
import { pointerStep, SchemaDocument } from '../../reader/schema-document.js';
import { isObject, type JsonSchema, schemasIn, schemasWithin } from '../../reader/schema-parts.js';
import {
  atProperty,
  inside,
  type LossOutcome,
  type Position,
  type ReportLoss,
  rulesOf,
  TOP,
} from './keywords.js';
import { mergeSchemas } from './merge-schemas.js';
import { plainKeywords, typeAlternatives } from './plain-keywords.js';

/** A `$ref`, what it refers to, and the keywords beside it. */
export interface Reference {
  readonly ref: string;
  readonly target: JsonSchema;
  readonly beside: JsonSchema;
}

/**
 * What all dialects do alike to one document: references are found, `allOf` is merged, several types become
 * alternatives. A dialect says what becomes of a reference, and of a schema of one type.
 */
export abstract class SchemaConverter {
  protected readonly references: SchemaReferences;
  private readonly definitions = new Map<string, JsonSchema>();

  constructor(
    private readonly root: JsonSchema,
    private readonly report?: ReportLoss,
  ) {
    this.references = new SchemaReferences(root);
  }

  /** Converts a reference whose target the document has. */
  protected abstract convertReference(reference: Reference, position: Position): JsonSchema;

  /** Converts a schema that neither is a reference nor has `allOf`, in the keywords of `plainKeywords`. */
  protected abstract convertPlain(schema: JsonSchema, position: Position): JsonSchema;

  protected convertRoot(): JsonSchema {
    const schema = this.convertTop();
    return this.definitions.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(this.definitions) };
  }

  /** The top says what kind of value it is, so there a reference is put in place whatever the size. */
  private convertTop(): JsonSchema {
    const { $ref: ref, ...beside } = this.root;
    const target = typeof ref === 'string' ? this.references.find(ref) : undefined;
    if (typeof ref !== 'string' || !target) return this.convert(this.root, TOP);
    return this.convert(this.merge(target, beside, TOP), inside(TOP, ref));
  }

  protected convert(schema: unknown, position: Position): JsonSchema {
    if (!isObject(schema)) return this.convertPlain({}, position);
    if (typeof schema['$ref'] === 'string') return this.convertRef(schema, schema['$ref'], position);
    if (Array.isArray(schema['allOf'])) return this.convertAllOf(schema, schema['allOf'], position);
    const plain = plainKeywords(schema, this.references, (keyword, value) => {
      this.lose(position, keyword, value, 'unsaid');
    });
    const types = plain['type'];
    if (Array.isArray(types) && types.length > 1 && plain['anyOf'] === undefined) {
      return this.convert(typeAlternatives(plain, types as string[]), position);
    }
    return this.convertPlain(plain, position);
  }

  /** An unresolved reference has no effect; its sibling keywords stay. */
  private convertRef({ $ref: _ref, ...beside }: JsonSchema, ref: string, position: Position): JsonSchema {
    const target = this.references.find(ref);
    if (target) return this.convertReference({ ref, target, beside }, position);
    this.lose(position, '$ref', ref, 'unsaid');
    return this.convert(beside, position);
  }

  /** What all branches ask for together. A single reference among them is one with something beside it. */
  private convertAllOf(
    { allOf: _allOf, ...beside }: JsonSchema,
    allOf: readonly unknown[],
    position: Position,
  ): JsonSchema {
    const [only, ...more] = schemasIn(allOf);
    if (more.length === 0 && isLoneReference(only)) return this.convert({ ...beside, ...only }, position);
    const through: string[] = [];
    const branches = schemasIn(allOf).map((branch) => this.branchOf(branch, through, position));
    const all = [...branches, beside].reduce((one, other) => this.merge(one, other, position), {});
    return this.convert(all, inside(position, ...through));
  }

  /** A branch with its reference put in place; one that leads back here is left out. */
  private branchOf(branch: JsonSchema, through: string[], position: Position): JsonSchema {
    const { $ref: ref, ...rest } = branch;
    if (typeof ref !== 'string') return branch;
    if (position.within.includes(ref)) this.lose(position, '$ref', ref, 'unsaid');
    if (position.within.includes(ref) || through.includes(ref)) return {};
    through.push(ref);
    return this.merge(this.references.find(ref) ?? {}, rest, position);
  }

  protected merge(first: JsonSchema, second: JsonSchema, position: Position): JsonSchema {
    return mergeSchemas(first, second, (keyword, value) => {
      this.lose(position, keyword, value, 'unsaid');
    });
  }

  /** A reference to a definition that is converted once, without sibling keywords. */
  protected keepReference(ref: string, { path }: Position): JsonSchema {
    const name = this.references.nameOf(ref);
    if (!this.definitions.has(name)) {
      this.definitions.set(name, {});
      this.definitions.set(name, this.convert(this.references.find(ref), { within: [ref], path }));
    }
    return { $ref: `#/$defs/${name}` };
  }

  /** The properties of an object; `false` for a forbidden one. */
  protected possible(properties: JsonSchema, position: Position): [name: string, schema: unknown][] {
    return Object.entries(properties).filter(([name, schema]) => {
      if (schema === false) this.lose(atProperty(position, name), 'properties', false, 'unsaid');
      return schema !== false;
    });
  }

  /** Reports what the conversion of a schema has not said: the hints are told in words, the rest is not. */
  protected loseRest(
    schema: JsonSchema,
    converted: JsonSchema,
    hints: readonly string[],
    position: Position,
  ): void {
    for (const keyword of rulesOf(schema)) {
      if (hints.includes(keyword)) this.lose(position, keyword, schema[keyword], 'described');
      else if (!(keyword in converted)) this.lose(position, keyword, schema[keyword], 'unsaid');
    }
  }

  protected lose({ path }: Position, keyword: string, value: unknown, outcome: LossOutcome): void {
    this.report?.(present({ path, keyword, value, outcome }));
  }
}

function isLoneReference(branch: JsonSchema | undefined): boolean {
  return typeof branch?.['$ref'] === 'string' && Object.keys(branch).length === 1;
}

/** A document with what its conversion asks of references: which are cyclic, how much they stand for, and their names. */
export class SchemaReferences extends SchemaDocument {
  private readonly cyclic = new Map<string, boolean>();
  private readonly names = new Map<string, string>();
  private readonly sizes = new Map<string, number>();

  isCyclic(reference: string): boolean {
    const known = this.cyclic.get(reference);
    if (known !== undefined) return known;
    const target = this.find(reference);
    const isCyclic =
      target !== undefined && [...this.reachable(target)].some((one) => this.targetOf(one) === target);
    this.cyclic.set(reference, isCyclic);
    return isCyclic;
  }

  /** How many schemas there are once every reference that is not cyclic is put in place. */
  expandedSize(schema: JsonSchema = this.root): number {
    let size = 0;
    for (const { $ref } of schemasWithin(schema))
      size += 1 + (typeof $ref === 'string' ? this.sizeOf($ref) : 0);
    return size;
  }

  /** A name for `$defs`, the same for the same reference and another for another. */
  nameOf(reference: string): string {
    const known = this.names.get(reference);
    if (known !== undefined) return known;
    const own = pointerStep(reference.split('/').at(-1) ?? '').replace(/[^\w.-]/g, '_');
    const wished = own === '' || own === '_' ? 'Root' : own;
    const taken = [...this.names.values()].filter((name) => name.replace(/-\d+$/, '') === wished).length;
    const name = taken === 0 ? wished : `${wished}-${String(taken + 1)}`;
    this.names.set(reference, name);
    return name;
  }

  private sizeOf(reference: string): number {
    const known = this.sizes.get(reference);
    if (known !== undefined) return known;
    const target = this.find(reference);
    const size = target ? this.sizeOfTarget(reference, target) : 0;
    this.sizes.set(reference, size);
    return size;
  }

  private sizeOfTarget(reference: string, target: JsonSchema): number {
    return this.isCyclic(reference) ? [...schemasWithin(target)].length : this.expandedSize(target);
  }
}
