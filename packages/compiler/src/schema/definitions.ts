import type { JsonSchema } from '@adorn/core';

import type { ts } from '../typescript.js';

/** The name of the definition that a reference of the compiler points to. */
export function definitionName(reference: string): string {
  return reference.slice(DEFINITIONS.length);
}

const DEFINITIONS = '#/$defs/';

const LONGEST_NAME = 64;

/** Schemas with more characters of JSON than this are not repeated in place. */
const LONG = 400;

/** The `$defs` of one schema: types with a name of their own, and types that contain themselves. */
export class Definitions {
  private readonly names = new Map<ts.Type, string>();
  private readonly taken = new Set<string>();
  private open = new Set<ts.Type>();
  private readonly written = new Map<ts.Type, JsonSchema>();
  private readonly schemas = new Map<string, JsonSchema>();

  /** A reference to the type's definition, which is written at the first mention. */
  define(type: ts.Type, name: string, write: () => JsonSchema): JsonSchema {
    if (!this.names.has(type)) this.fill(this.nameFor(type, name), write);
    return this.reference(type, name);
  }

  /**
   * The inline schema; a schema that contains itself becomes a definition. `writtenOnce`: the schema depends only on
   * the type, so a long one is written once and then referenced.
   */
  inline(type: ts.Type, name: string, write: () => JsonSchema, writtenOnce = false): JsonSchema {
    if (this.names.has(type) || this.open.has(type)) return this.reference(type, name);
    const before = this.written.get(type);
    if (before) return this.again(type, name, before);
    this.open.add(type);
    const schema = write();
    this.open.delete(type);
    const own = this.names.get(type);
    if (own === undefined) {
      if (writtenOnce) this.written.set(type, schema);
      return schema;
    }
    this.schemas.set(own, schema);
    return this.reference(type, name);
  }

  private again(type: ts.Type, name: string, schema: JsonSchema): JsonSchema {
    if (JSON.stringify(schema).length <= LONG) return schema;
    this.schemas.set(this.nameFor(type, name), schema);
    return this.reference(type, name);
  }

  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.schemas);
  }

  /** A cycle through a definition ends at the definition, so the types open around it need no name. */
  private fill(name: string, write: () => JsonSchema): void {
    const around = this.open;
    this.open = new Set();
    this.schemas.set(name, {});
    this.schemas.set(name, write());
    this.open = around;
  }

  private reference(type: ts.Type, name: string): JsonSchema {
    return { $ref: DEFINITIONS + this.nameFor(type, name) };
  }

  private nameFor(type: ts.Type, wanted: string): string {
    const present = this.names.get(type);
    if (present !== undefined) return present;
    const plain =
      wanted
        .replace(/\W+/g, '_')
        .replace(/^_+|_+$/g, '')
        .slice(0, LONGEST_NAME) || 'Type';
    let name = plain;
    for (let copy = 2; this.taken.has(name); copy += 1) name = `${plain}_${String(copy)}`;
    this.taken.add(name);
    this.names.set(type, name);
    return name;
  }
}
