import type { JsonSchema } from '@adorn/core';
import {
  areDisjoint,
  asSchema,
  branchesOf,
  elementsOf,
  patternsOf,
  propertiesOf,
  SchemaDocument,
  schemasIn,
  subschemasOf,
} from '@adorn/core/backend';
import type {
  ChoiceHydration,
  ClassHydration,
  Hydration,
  HydrationBranch,
  JsonType,
  ListHydration,
  ObjectHydration,
} from '@adorn/core/compiler';

import { definitionName, type Definitions } from '../schema/definitions.js';
import { type ClassMark, makerOf, markOf } from '../schema/hydration-mark.js';
import { Refusal, under } from '../schema/refusal.js';
import type { ts } from '../typescript.js';

/** Derives the hydration plans of one tool from the marks on its schemas. */
export class HydrationPlans {
  private readonly alive: ReadonlySet<string>;
  private readonly all: Readonly<Record<string, JsonSchema>>;
  private readonly document: SchemaDocument;
  private readonly named = new Map<string, Hydration>();
  private readonly classes = new Map<string, ts.ClassLikeDeclaration>();
  private readonly visited = new Set<string>();
  private readonly instances = new Set<string>();

  constructor(definitions: Definitions) {
    this.all = definitions.all();
    this.document = new SchemaDocument({ $defs: this.all });
    this.alive = aliveIn(this.all);
  }

  /**
   * The plan of a schema; undefined if the JSON needs no conversion.
   *
   * @throws Refusal if an instance cannot be constructed, or the branch of a union is ambiguous
   */
  planOf(schema: JsonSchema, isMade = false): Hydration | undefined {
    const maker = makerOf(schema);
    if (maker === 'Transform') return undefined;
    const mark = markOf(schema);
    const made = isMade || maker === 'Type';
    if (mark?.kind === 'class') return this.classPlan(schema, mark, made);
    if (mark) return mark;
    if (typeof schema['$ref'] === 'string') return this.reference(schema['$ref'], made);
    const choices = branchesOf(schema);
    const inside = (one: JsonSchema): Hydration | undefined => this.planOf(one, made);
    if (choices.length > 0) {
      const branches = choices.map((branch) => ({ schema: branch, revive: inside(branch) }));
      return choicePlan(branches, this.document);
    }
    const together = schemasIn(schema['allOf']);
    if (together.length > 0) return together.map(inside).find((plan) => plan !== undefined);
    const { first, rest } = elementsOf(schema);
    return first.length > 0 || rest !== undefined
      ? this.listPlan(schema, made)
      : this.objectPlan(schema, made);
  }

  /** The plans that other plans reference; undefined if there are none. */
  get revivals(): Readonly<Record<string, Hydration>> | undefined {
    return this.named.size === 0 ? undefined : Object.fromEntries(this.named);
  }

  /** The classes that Adorn instantiates; undefined if there are none. */
  get ownInstances(): readonly string[] | undefined {
    return this.instances.size === 0 ? undefined : [...this.instances];
  }

  /** The classes that the plans name. */
  get namedClasses(): ReadonlyMap<string, ts.ClassLikeDeclaration> {
    return this.classes;
  }

  private reference(pointer: string, isMade: boolean): Hydration | undefined {
    const name = definitionName(pointer);
    if (!this.alive.has(name)) return undefined;
    const schema = this.all[name] ?? {};
    const visit = `${name} ${String(isMade)}`;
    if (!this.visited.has(visit)) {
      this.visited.add(visit);
      const plan = this.planOf(schema, isMade);
      if (plan) this.named.set(name, plan);
    }
    return { kind: 'reference', name };
  }

  private classPlan(schema: JsonSchema, mark: ClassMark, isMade: boolean): ClassHydration {
    const { name, declaration, obstacle, sentAs, unchecked } = mark;
    if (obstacle !== undefined && !isMade) {
      throw new Refusal(
        name ?? 'class',
        obstacle,
        'Write the classes that are meant, or an interface of the data.',
      );
    }
    if (name === undefined) {
      throw new Refusal('class', 'the class has no name, so nothing can find it.', 'Give it a name.');
    }
    const key = this.keyOf(declaration, name);
    if (!isMade) this.instances.add(key);
    const own = new Map(Object.entries(sentAs).map(([property, sent]) => [sent, property]));
    const { kind: _, ...parts } = this.objectPlan(schema, false, own) ?? { kind: 'object' };
    return {
      kind: 'class',
      class: key,
      ...(key !== name && { name }),
      ...parts,
      ...(own.size > 0 && { sentAs }),
      ...(unchecked.length > 0 && { unchecked }),
    };
  }

  private keyOf(declaration: ts.ClassLikeDeclaration, name: string): string {
    let key = name;
    for (let copy = 2; (this.classes.get(key) ?? declaration) !== declaration; copy += 1)
      key = `${name}_${String(copy)}`;
    this.classes.set(key, declaration);
    return key;
  }

  private objectPlan(
    schema: JsonSchema,
    isMade: boolean,
    ownNames?: ReadonlyMap<string, string>,
  ): ObjectHydration | undefined {
    const properties = this.plansOf(propertiesOf(schema), isMade, ownNames);
    const patterns = this.plansOf(patternsOf(schema), isMade);
    const additional = asSchema(schema['additionalProperties']);
    const others = additional && under('[key]', () => this.planOf(additional, isMade));
    if (!properties && !patterns && !others) return undefined;
    return {
      kind: 'object',
      ...(properties !== undefined && { properties }),
      ...(patterns !== undefined && { patterns }),
      ...(others !== undefined && { others }),
    };
  }

  private plansOf(
    schemas: ReadonlyMap<string, JsonSchema>,
    isMade: boolean,
    ownNames?: ReadonlyMap<string, string>,
  ): Readonly<Record<string, Hydration>> | undefined {
    const plans = [...schemas].flatMap(([name, schema]) => {
      const plan = under(name, () => this.planOf(schema, isMade));
      return plan ? [[ownNames?.get(name) ?? name, plan] as const] : [];
    });
    return plans.length === 0 ? undefined : Object.fromEntries(plans);
  }

  private listPlan(schema: JsonSchema, isMade: boolean): ListHydration | undefined {
    const elements = elementsOf(schema);
    const items = asSchema(elements.rest);
    const first = elements.first.map((one, index) =>
      under(`[${String(index)}]`, () => this.planOf(asSchema(one) ?? {}, isMade) ?? null),
    );
    const rest = items && under('[]', () => this.planOf(items, isMade));
    const isTuple = first.some((plan) => plan !== null);
    if (!isTuple && !rest) return undefined;
    const skipped = first.length > 0 && { first };
    return { kind: 'list', ...skipped, ...(rest !== undefined && { rest }) };
  }
}

/** The definitions in which something has to be made, directly or through one another. */
function aliveIn(all: Readonly<Record<string, JsonSchema>>): ReadonlySet<string> {
  const alive = new Set<string>();
  const isAlive = (schema: JsonSchema): boolean => {
    if (makerOf(schema) === 'Transform') return false;
    if (markOf(schema)) return true;
    if (typeof schema['$ref'] === 'string') return alive.has(definitionName(schema['$ref']));
    return subschemasOf(schema).some(isAlive);
  };
  for (let before = -1; before < alive.size;) {
    before = alive.size;
    for (const [name, schema] of Object.entries(all)) if (isAlive(schema)) alive.add(name);
  }
  return alive;
}

/** One member of a union, and what has to be made of it. */
interface Branch {
  readonly schema: JsonSchema;
  readonly revive: Hydration | undefined;
}

/**
 * How the value of a union is made: by the branch it is of. A value that fits a branch of which nothing is made stays
 * as it is, since the type allows it so.
 *
 * @throws Refusal where a value could be of two branches, and would become different things.
 */
function choicePlan(branches: readonly Branch[], document: SchemaDocument): Hydration | undefined {
  const real = branches.filter(({ schema }) => schema['type'] !== 'null');
  if (real.every(({ revive }) => revive === undefined)) return undefined;
  const [only] = real;
  if (only && real.length === 1) return only.revive;
  refuseDoubt(real, document);
  const typed = branches.map((branch) => ({ ...branch, types: document.typesOf(branch.schema) }));
  const plain = typed.filter(({ revive }) => revive === undefined);
  const made = typed.filter(({ revive }) => revive !== undefined);
  const planned = [...plain, ...made].map((branch): HydrationBranch => {
    const rivals = typed.filter((other) => other !== branch && overlap(other.types, branch.types));
    const isClear = [branch, ...rivals].every(({ revive }) => revive === undefined) || rivals.length === 0;
    return {
      types: branch.types,
      ...(!isClear && { schema: branch.schema }),
      ...(branch.revive !== undefined && { revive: branch.revive }),
    };
  });
  return { kind: 'choice', branches: planned } satisfies ChoiceHydration;
}

function overlap(one: readonly JsonType[], other: readonly JsonType[]): boolean {
  return one.some((type) => other.includes(type));
}

function refuseDoubt(branches: readonly Branch[], document: SchemaDocument): void {
  const made = branches.filter(({ revive }) => revive !== undefined);
  refuseTextBesideBytes(branches);
  for (const [index, one] of made.entries()) {
    for (const other of made.slice(index + 1)) {
      const isSame = JSON.stringify(one.revive) === JSON.stringify(other.revive);
      if (isSame || areDisjoint([one.schema, other.schema], document, { ignoreEmptyLists: true })) continue;
      throw new Refusal(
        [one, other].map(({ schema }) => nameOf(schema)).join(' | '),
        'a value could be either of the two, and would become different things.',
        'Give each a property with a literal type of its own, or write one of them.',
      );
    }
  }
}

/** Base64 is a text: beside any text, no bytes would ever arrive. */
function refuseTextBesideBytes(branches: readonly Branch[]): void {
  const bytes = branches.find(({ schema }) => markOf(schema)?.kind === 'bytes');
  const isText = branches.some(
    ({ schema, revive }) =>
      revive === undefined &&
      [schema['type']].flat().includes('string') &&
      !['enum', 'const', 'pattern', 'format'].some((keyword) => keyword in schema),
  );
  if (!bytes || !isText) return;
  throw new Refusal(
    `string | ${nameOf(bytes.schema)}`,
    'the base64 of bytes is a text too: a call would always give a text.',
    'Write one of them, or give each a property of its own.',
  );
}

const LEAF_NAMES = { date: 'Date', url: 'URL', bigint: 'bigint' };

/** The type as people write it. */
function nameOf(schema: JsonSchema): string {
  const mark = markOf(schema);
  if (mark?.kind === 'bytes') return mark.as;
  if (mark && mark.kind !== 'class') return LEAF_NAMES[mark.kind];
  const { $ref, format, type } = schema;
  return String(typeof $ref === 'string' ? definitionName($ref) : (mark?.name ?? format ?? type));
}
