import { toGeminiSchema } from '@adorn/core/dialects';

import type { JsonObject } from '../bfcl/json-object.js';
import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';
import { messageOf } from '../message-of.js';
import type { TestGroup } from './test-group.js';
import { wrapSchema } from './wrapped-schema.js';

/** Whether a schema can be made into one for Gemini and written as JSON. */
export function checkConversion(path: string, group: TestGroup, dialect: string): Check {
  const what = `${path}, ${group.description}`;
  try {
    const { type } = JSON.parse(
      JSON.stringify(toGeminiSchema(wrapSchema(group.schema, dialect))),
    ) as JsonObject;
    return { what, fault: findDifference('object', type, '$.type') };
  } catch (error) {
    return { what, fault: messageOf(error) };
  }
}
