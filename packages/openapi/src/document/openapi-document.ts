import { valueAt } from '@adorn/core/backend';

import { isObject, type JsonObject, objectOf } from './json-object.js';
import { OperationFault } from '../errors.js';

/** How many references may lead from one to the next. */
const LONGEST_CHAIN = 32;

/** An OpenAPI 3 document that was read. */
export class OpenApiDocument {
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
   * The value at a reference. References to other files and URLs are never followed.
   *
   * @param reference such as `#/components/schemas/Pet`
   * @throws {OperationFault}
   */
  find(reference: string): unknown {
    if (reference !== '#' && !reference.startsWith('#/'))
      throw new OperationFault(
        `it refers to "${reference.slice(0, 100)}", outside the document: bundle the document into one file`,
      );
    const found = valueAt(this.root, reference);
    if (found === undefined)
      throw new OperationFault(`it refers to "${reference.slice(0, 100)}", which the document does not have`);
    return found;
  }
}
