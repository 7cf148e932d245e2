import { pointerStep } from '../../../json/json-pointer.js';
import { isObject, type JsonObject } from './json-object.js';

/** Their values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** The targets of the `$ref`s of one document, and the cyclic ones. */
export class SchemaReferences {
  private readonly cyclic = new Map<string, boolean>();
  private readonly names = new Map<string, string>();
  private readonly sizes = new Map<string, number>();

  constructor(private readonly root: JsonObject) {}

  /** The schema a reference leads to; undefined for one that leaves the document, or nowhere. */
  find(reference: string): JsonObject | undefined {
    if (reference !== '#' && !reference.startsWith('#/')) return undefined;
    let found: unknown = this.root;
    for (const step of reference.slice(1).split('/').slice(1)) {
      found = isObject(found) || Array.isArray(found) ? (found as JsonObject)[pointerStep(step)] : undefined;
    }
    return isObject(found) ? found : undefined;
  }

  isCyclic(reference: string): boolean {
    const known = this.cyclic.get(reference);
    if (known !== undefined) return known;
    const found = this.reaches(this.find(reference), reference, new Set());
    this.cyclic.set(reference, found);
    return found;
  }

  /** How many schemas there are once every reference that is not cyclic is put in place. */
  expandedSize(schema: unknown = this.root): number {
    return [...referencesIn(schema)].reduce(
      (size, reference) => size + this.sizeOf(reference),
      schemasIn(schema),
    );
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
    this.sizes.set(reference, 1);
    const size = this.isCyclic(reference)
      ? schemasIn(this.find(reference))
      : this.expandedSize(this.find(reference));
    this.sizes.set(reference, size);
    return size;
  }

  private reaches(schema: unknown, goal: string, seen: Set<string>): boolean {
    for (const reference of referencesIn(schema)) {
      if (reference === goal) return true;
      if (seen.has(reference)) continue;
      seen.add(reference);
      if (this.reaches(this.find(reference), goal, seen)) return true;
    }
    return false;
  }
}

/** `$defs` are not visited: definitions count where they are referenced. */
function* referencesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* referencesIn(item);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (key === '$ref' && typeof member === 'string') yield member;
      else if (key !== '$defs' && key !== 'definitions' && !DATA.has(key)) yield* referencesIn(member);
    }
  }
}

function schemasIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((size, item) => size + schemasIn(item), 0);
  if (!isObject(value)) return 0;
  const members = Object.entries(value).filter(
    ([key]) => key !== '$defs' && key !== 'definitions' && !DATA.has(key),
  );
  return members.reduce((size, [, member]) => size + schemasIn(member), 1);
}
