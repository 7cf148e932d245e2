import {
  type CodeExecutor,
  type ConfirmationPredicate,
  optionFault,
  OBJECT,
  type OptionRules,
  rule,
  type ToolTraits,
} from '@adorn/core/backend';
import type { ToolContext } from '@adorn/core';

import { SkillOptionError } from './errors.js';

/** The options of `skills`. */
export interface SkillsOptions {
  /**
   * Runs the scripts of skills, such as `bubblewrap()` of `@adorn/sandbox`. Without it no script runs: models read them like other
   * files. Default: none.
   */
  readonly executor?: CodeExecutor;
  /** What the scripts do, as far as Adorn has to know it. Default: `write`. */
  readonly effect?: ToolTraits['effect'];
  /**
   * Whether to ask a person before a script runs; a string is the hint. Default: true, as scripts are the code of whoever wrote
   * the skill.
   */
  readonly confirm?: boolean | string | ConfirmationPredicate<[args: ScriptArguments, context: ToolContext]>;
}

/** The arguments of `run_skill_script`. */
export interface ScriptArguments {
  readonly skill: string;
  /** The path of the script within the skill, such as `scripts/extract.py`. */
  readonly script: string;
  readonly args?: readonly string[];
  /** Names of artifacts for its working folder. */
  readonly files?: readonly string[];
}

const RULES: OptionRules<SkillsOptions> = {
  executor: OBJECT,
  effect: rule(
    (value) => ['read', 'write', 'destructive'].includes(value as string),
    "Pass 'read', 'write' or 'destructive'.",
  ),
  confirm: rule(
    (value) => ['boolean', 'string', 'function'].includes(typeof value),
    'Pass true, false, a hint, or a function of the arguments.',
  ),
};

/** @throws {SkillOptionError} */
export function checkOptions(options: SkillsOptions): void {
  const found = optionFault(options, RULES);
  if (found) throw new SkillOptionError(found.fault, found.cure);
}
