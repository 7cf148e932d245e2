import { kindOf, valueAt } from '@adorn/core/backend';

import { FILE_FAULT, FILES } from './bundle-document.js';
import { isObject, type JsonObject, objectOf } from './json-object.js';
import { OpenApiDocumentError, OperationFault } from '../errors.js';

/** How many references may lead from one to the next. */
const LONGEST_CHAIN = 32;

/**
 * The fields that hold a list or a map, not a schema or another thing that may be a reference by the standard. Documents that are
 * split into files have references there too, which bundlers and generators follow.
 */
const COLLECTIONS = [
  ...[
    'paths',
    'components',
    'schemas',
    'securitySchemes',
    'servers',
    'variables',
    'security',
    'flows',
    'tags',
  ],
  ...['parameters', 'content', 'encoding'],
  ...['properties', 'patternProperties', 'required', 'enum', 'allOf', 'anyOf', 'oneOf'],
];

/** An OpenAPI 3 document that was read. */
export class OpenApiDocument {
  readonly root: JsonObject;
  /** Objects whose collections stood elsewhere, with them. */
  private readonly completed = new WeakMap<JsonObject, JsonObject>();
  private anchors: Map<string, unknown> | undefined;

  /**
   * @param label how the document was given, for messages
   * @param url where it was read from; undefined for a file or an object
   * @throws {OpenApiDocumentError} if a collection of the whole document is a reference that leads nowhere
   */
  constructor(
    root: JsonObject,
    readonly label: string,
    readonly url?: URL,
  ) {
    this.root = root;
    try {
      const { components } = (this.root = this.complete(root));
      if (components !== undefined) this.root = { ...this.root, components: this.resolve(components) };
    } catch (error) {
      if (!(error instanceof OperationFault)) throw error;
      const { fault, cure = 'Correct it' } = error;
      throw new OpenApiDocumentError(label, fault, `${cure}.`, { cause: error });
    }
  }

  get paths(): JsonObject {
    return objectOf(this.root['paths']);
  }

  get securitySchemes(): JsonObject {
    return objectOf(objectOf(this.root['components'])['securitySchemes']);
  }

  /**
   * The value, or the value that its `$ref` leads to, with its own collections.
   *
   * @throws {OperationFault}
   */
  resolve(value: unknown): unknown {
    let found = value;
    for (let steps = 0; isObject(found) && typeof found['$ref'] === 'string'; steps++) {
      if (steps === LONGEST_CHAIN) throw new OperationFault('its references lead in a circle');
      found = this.find(found['$ref']);
    }
    return isObject(found) ? this.complete(found) : found;
  }

  /**
   * The entries of a list that may be absent.
   *
   * @param what the list in a message, such as `its parameters`
   * @throws {OperationFault} if it is something else: the operation would lose it in silence
   */
  list(value: unknown, what: string): readonly unknown[] {
    const found = this.resolve(value) ?? [];
    if (isObject(found) && Object.keys(found).length === 0) return [];
    if (!Array.isArray(found)) throw new OperationFault(`${what} are ${kindOf(found)}, and not a list`);
    return found as unknown[];
  }

  /**
   * An object that may be absent, in which case it is empty.
   *
   * @param what the object in a message, such as `its request body`
   * @throws {OperationFault} if it is something else: the operation would lose it in silence
   */
  object(value: unknown, what: string): JsonObject {
    const found = this.resolve(value) ?? {};
    if (!isObject(found)) throw new OperationFault(`${what} is ${kindOf(found)}, and not an object`);
    return found;
  }

  /**
   * The object with its own collections, also where they are references; the same object where none is.
   *
   * @throws {OperationFault}
   */
  complete(object: JsonObject): JsonObject {
    const known = this.completed.get(object);
    if (known !== undefined) return known;
    const elsewhere = COLLECTIONS.filter((name) => isReference(object[name]));
    if (elsewhere.length === 0) return object;
    // A collection that refers to itself is found here.
    this.completed.set(object, object);
    const whole = {
      ...object,
      ...Object.fromEntries(elsewhere.map((name) => [name, this.resolve(object[name])])),
    };
    this.completed.set(object, whole);
    return whole;
  }

  /**
   * The value at a reference: a JSON pointer, or the name of an `$anchor`. References to files that are not in the document
   * are not followed.
   *
   * @param reference such as `#/components/schemas/Pet` or `#Pet`
   * @throws {OperationFault}
   */
  find(reference: string): unknown {
    const shown = `"${reference.slice(0, 100)}"`;
    if (!reference.startsWith('#'))
      throw new OperationFault(
        `it refers to ${shown}, outside the document`,
        'Give the document by its path or URL, or bundle it into one file',
      );
    const fault = this.faultOfFile(reference);
    if (fault !== undefined) throw fault;
    const found = valueAt(this.root, reference) ?? this.anchored(reference);
    if (found === undefined)
      throw new OperationFault(`it refers to ${shown}, which the document does not have`);
    return found;
  }

  /** Why the file of a reference could not be read. */
  private faultOfFile(reference: string): OperationFault | undefined {
    const [, files, name] = reference.split('/');
    if (files !== FILES || name === undefined) return undefined;
    const file = valueAt(this.root, `#/${FILES}/${name}`) as
      { readonly [FILE_FAULT]?: OperationFault } | undefined;
    return file?.[FILE_FAULT];
  }

  private anchored(reference: string): unknown {
    this.anchors ??= findAnchors(this.root);
    return this.anchors.get(reference);
  }
}

function isReference(value: unknown): boolean {
  return isObject(value) && typeof value['$ref'] === 'string';
}

/**
 * The schemas with an `$anchor`, by the references that lead to them. To the anchors of a file the bundler adds its prefix:
 * `#/x-ext/Pet` and `name` are `#/x-ext/Petname`.
 */
function findAnchors(root: JsonObject): Map<string, unknown> {
  const anchors = new Map<string, unknown>();
  const { [FILES]: files, ...document } = root;
  const places = [
    ['#', document],
    ...Object.entries(objectOf(files)).map(([name, file]) => [`#/${FILES}/${name}`, file]),
  ];
  for (const [prefix, place] of places) {
    const seen = new Set([place]);
    // What is added here is visited by the loop as well.
    for (const value of seen) {
      if (typeof value !== 'object' || value === null) continue;
      const { $anchor } = value as JsonObject;
      if (typeof $anchor === 'string') anchors.set(`${String(prefix)}${$anchor}`, value);
      for (const part of Object.values(value) as unknown[]) seen.add(part);
    }
  }
  return anchors;
}
