import { AdornError } from 'adorn';

import type { Check } from '../check.js';
import { messageOf } from '../message-of.js';
import { offerValues } from './offer-values.js';
import type { TestGroup } from './test-group.js';
import { wrapSchema } from './wrapped-schema.js';

/** Whether a schema that cannot be compiled is refused in words when its tool is built. */
export async function checkRefusal({ description, schema }: TestGroup, dialect: string): Promise<Check> {
  try {
    await offerValues(wrapSchema(schema, dialect), ['any']);
    return { what: description, fault: 'it is not refused' };
  } catch (error) {
    const isTold = AdornError.is(error) && error.message.includes('lead back to themselves');
    return { what: description, fault: isTold ? undefined : messageOf(error) };
  }
}
