import type { ErrorObject, ValidateFunction } from 'ajv';

import { schemaCompiler } from './ajv.js';
import { describeProblem } from './describe-problem.js';
import type { JsonSchema } from './json-schema.js';
import { repairArguments } from './repair-arguments.js';

/** Arguments by name, as a model gave them. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The arguments that fit, or everything that is wrong with them, a sentence each. */
export type CheckedArguments =
  | { readonly kind: 'valid'; readonly args: Arguments }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** Checks the arguments of one tool; made once per tool. */
export type ArgumentCheck = (args: Arguments) => CheckedArguments;

/** Of arguments without an end to their nesting, and of a schema that only refers to itself. */
const TOO_DEEP = 'the arguments are nested too deeply to be checked';

/**
 * The check of a tool's arguments. Arguments that fit are passed on as they are; those that do not are mended on a
 * copy where nothing can be lost by it, and otherwise answered with every problem.
 *
 * @param isKnownGood a schema that was compiled when it was derived is compiled again with the first call only
 */
export async function compileArgumentCheck(schema: JsonSchema, isKnownGood = false): Promise<ArgumentCheck> {
  const compile = await schemaCompiler(schema);
  let validate = isKnownGood ? undefined : compile();
  return (args) => {
    try {
      validate ??= compile();
      return validate(args) ? { kind: 'valid', args } : mend(validate, args);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { kind: 'invalid', problems: [TOO_DEEP] };
    }
  };
}

function mend(validate: ValidateFunction, args: Arguments): CheckedArguments {
  const first = validate.errors ?? [];
  const mended = repairArguments(args, first);
  if (mended !== undefined && validate(mended)) return { kind: 'valid', args: mended };
  return { kind: 'invalid', problems: withoutEchoes(validate.errors ?? first).map(describeProblem) };
}

const ECHOES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'if']);

/** A failed `anyOf` or `oneOf` repeats the faults of each of its branches: the branch's own say more. */
function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const telling = errors.filter(({ keyword }) => !ECHOES.has(keyword));
  return telling.length > 0 ? telling : errors;
}
