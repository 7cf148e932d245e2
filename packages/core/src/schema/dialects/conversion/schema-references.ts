import { pointerStep } from '../../../json/json-pointer.js';
import type { JsonSchema } from '../../json-schema.js';
import { SchemaDocument } from '../../reader/schema-document.js';
import { schemasWithin } from '../../reader/schema-parts.js';

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
    const size = target === undefined ? 0 : this.sizeOfTarget(reference, target);
    this.sizes.set(reference, size);
    return size;
  }

  private sizeOfTarget(reference: string, target: JsonSchema): number {
    return this.isCyclic(reference) ? [...schemasWithin(target)].length : this.expandedSize(target);
  }
}
