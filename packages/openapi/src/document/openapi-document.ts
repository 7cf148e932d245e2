import { valueAt } from '@adorn/core/backend';

import { FILE_FAULT, FILES } from './bundle-document.js';
import { isObject, type JsonObject, objectOf } from './json-object.js';
import { OperationFault } from '../errors.js';

/** How many references may lead from one to the next. */
const LONGEST_CHAIN = 32;

/** An OpenAPI 3 document that was read. */
export class OpenApiDocument {
  private anchors: Map<string, unknown> | undefined;

  /**
   * @param label how the document was given, for messages
   * @param url where it was read from; undefined for a file or an object
   */
  constructor(
    readonly root: JsonObject,
    readonly label: string,
    readonly url?: URL,
  ) {}

  get paths(): JsonObject {
    return objectOf(this.root['paths']);
  }

  get securitySchemes(): JsonObject {
    return objectOf(objectOf(this.root['components'])['securitySchemes']);
  }

  /**
   * The value, or the value that its `$ref` leads to.
   *
   * @throws {OperationFault}
   */
  resolve(value: unknown): unknown {
    let found = value;
    for (let steps = 0; isObject(found) && typeof found['$ref'] === 'string'; steps++) {
      if (steps === LONGEST_CHAIN) throw new OperationFault('its references lead in a circle');
      found = this.find(found['$ref']);
    }
    return found;
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
