import type { Arguments } from '../schema/argument-check.js';
import { ToolArgumentsInvalidError } from '../tools/tool-arguments-invalid.error.js';
import type { ToolCall } from './tool-call.js';

/**
 * Arguments in the form that the tool of a call declares.
 *
 * @throws {ToolArgumentsInvalidError} where they do not fit and cannot be mended
 */
export function checkedArguments({ entry, invocation }: ToolCall, args: Arguments): Arguments {
  const { tool, check } = entry;
  const checked = check(args, tool.traits.unknownArguments ?? invocation.config.unknownArguments);
  if (checked.kind === 'valid') return checked.args;
  throw new ToolArgumentsInvalidError(tool.name, checked.problems, checked.example);
}
