import type { JsonSchema } from 'adorn';

import { isObject, type JsonObject } from '../bfcl/json-object.js';
import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';
import { messageOf } from '../message-of.js';
import { offerValues } from './offer-values.js';
import { namesPrototype } from './scope.js';
import type { SchemaTest, TestGroup } from './test-group.js';
import { wrapSchema } from './wrapped-schema.js';

/** No schema of the suite takes longer, in milliseconds; a hostile one is stopped well before. */
const TIME_LIMIT = 5_000;

/** Offers each value of a group to a tool of its schema, and compares what was let in with what the suite says. */
export async function judgeGroup(path: string, group: TestGroup, dialect: string): Promise<Check[]> {
  const whatOf = (test: SchemaTest) => `${path}, ${group.description}, ${test.description}`;
  const schema = wrapSchema(group.schema, dialect);
  const begun = performance.now();
  try {
    const faults = await faultsOfVerdicts(group.tests, schema);
    const ms = performance.now() - begun;
    const slow = ms > TIME_LIMIT ? `the group took ${String(Math.round(ms))} ms` : undefined;
    return group.tests.map((test, index) => ({ what: whatOf(test), fault: faults[index] ?? slow }));
  } catch (error) {
    return group.tests.map((test) => ({ what: whatOf(test), fault: messageOf(error) }));
  }
}

async function faultsOfVerdicts(tests: readonly SchemaTest[], schema: JsonSchema) {
  const responses = await offerValues(
    schema,
    tests.map(({ data }) => data),
  );
  const mended = responses.filter((response, index) => isMended(response, tests[index]?.data));
  const unfit = await letInOnlyMended(schema, mended);
  return tests.map((test, index) => faultOfVerdict(test, responses[index] ?? {}, unfit));
}

/** What was mended on its way and is not let in as it then is: the mending made it fit nothing. */
async function letInOnlyMended(
  schema: JsonSchema,
  mended: readonly JsonObject[],
): Promise<ReadonlySet<JsonObject>> {
  if (mended.length === 0) return new Set();
  const values = mended.map(({ received }) => (isObject(received) ? received['value'] : undefined));
  const again = await offerValues(schema, values);
  return new Set(mended.filter((response, index) => findDifference(response, again[index]) !== undefined));
}

function faultOfVerdict(
  { data, valid }: SchemaTest,
  response: JsonObject,
  unfit: ReadonlySet<JsonObject>,
): string | undefined {
  const { received } = response;
  if (received === undefined) {
    return valid ? `it is valid, and was answered ${JSON.stringify(response)}` : undefined;
  }
  if (!isMended(response, data)) return valid ? undefined : 'it is not valid, and was let in';
  if (valid && namesPrototype(data)) return undefined;
  if (valid) return `it is valid, and became ${JSON.stringify(received)}`;
  return unfit.has(response)
    ? `it was mended to ${JSON.stringify(received)}, which is not valid either`
    : undefined;
}

function isMended({ received }: JsonObject, data: unknown): boolean {
  return received !== undefined && findDifference({ value: data }, received) !== undefined;
}
