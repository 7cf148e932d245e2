import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

/** An attribute of the conventions. */
export interface DefinedAttribute {
  /** `string`, `int`, `double`, `boolean`, `string[]`, `any`, …; or the values of an enumeration. */
  readonly type: string | readonly string[];
  /** True if another attribute, or nothing, has taken its place. */
  readonly isReplaced: boolean;
}

/** A span or a metric of the conventions, with the attributes of what it extends. */
export interface DefinedSignal {
  readonly id: string;
  /** `client` or `internal` for a span. */
  readonly spanKind: string | undefined;
  readonly unit: string | undefined;
  readonly required: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
}

/** The definitions of the GenAI semantic conventions, as OpenTelemetry publishes them in YAML. */
export class Conventions {
  private constructor(
    readonly attributes: ReadonlyMap<string, DefinedAttribute>,
    private readonly groups: ReadonlyMap<string, Group>,
  ) {}

  static read(folder: string): Conventions {
    const file = (name: string): Group[] =>
      (parse(readFileSync(join(folder, `${name}-deprecated.yaml`), 'utf8')) as { groups: Group[] }).groups;
    const attributes = file('registry')
      .flatMap((group) => group.attributes ?? [])
      .flatMap((one) => (one.id === undefined ? [] : [[one.id, definedAttribute(one)] as const]));
    const groups = [...file('spans'), ...file('metrics')];
    return new Conventions(new Map(attributes), new Map(groups.map((group) => [group.id, group])));
  }

  /** @throws if the conventions have no such span or metric */
  signal(id: string): DefinedSignal {
    const group = this.groups.get(id);
    if (!group) throw new Error(`The conventions have no ${id}.`);
    const references = this.referencesOf(group);
    return {
      id,
      spanKind: group.span_kind,
      unit: group.unit,
      required: new Set(references.filter(({ level }) => level === 'required').map(({ name }) => name)),
      attributes: new Set(references.map(({ name }) => name)),
    };
  }

  private referencesOf({ attributes = [], extends: parent }: Group): Reference[] {
    const own = attributes.flatMap(({ ref, requirement_level: level }) =>
      ref === undefined ? [] : [{ name: ref, level }],
    );
    const above = parent === undefined ? undefined : this.groups.get(parent);
    const inherited = above ? this.referencesOf(above) : [];
    const stated = new Set(own.map(({ name }) => name));
    return [...inherited.filter(({ name }) => !stated.has(name)), ...own];
  }
}

interface Reference {
  readonly name: string;
  readonly level: unknown;
}

/** A group of a file of definitions. */
interface Group {
  readonly id: string;
  readonly extends?: string;
  readonly span_kind?: string;
  readonly unit?: string;
  readonly attributes?: readonly {
    readonly id?: string;
    readonly ref?: string;
    readonly type?: string | { readonly members: readonly { readonly value: string }[] };
    readonly requirement_level?: unknown;
    readonly deprecated?: { readonly reason: string; readonly note?: string };
  }[];
}

/** All of them are marked as moved to a repository of their own, which is no replacement. */
function definedAttribute({ type, deprecated }: NonNullable<Group['attributes']>[number]): DefinedAttribute {
  const isReplaced = deprecated !== undefined && !/^\s*Moved to/.test(deprecated.note ?? '');
  return {
    type: typeof type === 'object' ? type.members.map(({ value }) => value) : (type ?? 'any'),
    isReplaced,
  };
}
