import type { StandardSchemaV1 } from '@standard-schema/spec';

import { copyJson } from '../json/copy-json.js';
import type { Arguments } from '../schema/argument-check.js';
import { argumentPath } from '../schema/argument-path.js';
import type { StandardSchema } from '../schema/standard/standard-schema.js';
import { ToolArgumentsInvalidError } from './errors.js';

/**
 * Has a library check arguments that fit its JSON Schema, and gives what it makes of them: with defaults filled in
 * and transforms done.
 *
 * @throws {ToolArgumentsInvalidError}
 */
export async function toOutput(toolName: string, schema: StandardSchema, args: Arguments): Promise<unknown> {
  const result = await schema['~standard'].validate(copyJson(args));
  if (result.issues) throw new ToolArgumentsInvalidError(toolName, result.issues.map(describeIssue));
  return result.value;
}

const LONGEST_MESSAGE = 200;

/** One issue that a library found with the arguments, as a sentence for the model: where, and what it says. */
export function describeIssue({ path = [], message }: StandardSchemaV1.Issue): string {
  const where = argumentPath(path.map((step) => (typeof step === 'object' ? step.key : step)));
  const said = message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
  return said.startsWith(where) ? said : `${where}: ${said}`;
}
