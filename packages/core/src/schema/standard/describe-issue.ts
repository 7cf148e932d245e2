import type { StandardSchemaV1 } from '@standard-schema/spec';

import { argumentPath } from '../argument-path.js';

const LONGEST_MESSAGE = 200;

/** One issue that a library found with the arguments, as a sentence for the model: where, and what it says. */
export function describeIssue({ path = [], message }: StandardSchemaV1.Issue): string {
  const where = argumentPath(path.map((step) => (typeof step === 'object' ? step.key : step)));
  const said = message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
  return said.startsWith(where) ? said : `${where}: ${said}`;
}
