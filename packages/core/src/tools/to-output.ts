import { copyJson } from '../json/copy-json.js';
import type { Arguments } from '../schema/argument-check.js';
import { describeIssue } from '../schema/standard/describe-issue.js';
import type { StandardSchema } from '../schema/standard/standard-schema.js';
import { ToolArgumentsInvalidError } from './tool-arguments-invalid.error.js';

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
