import type { Severity } from '../check-report.js';
import { noApprovers } from './approvers.rule.js';
import { dialectUndeclarable, dialectUnsaid, dialectWords } from './dialect.rules.js';
import { experimentalDecorators, severalInversify } from './project.rules.js';
import { dynamicInstruction, earlyPlaceholder } from './instruction.rules.js';
import { genericName, illegalName, nameTaken } from './name.rules.js';
import { mergedOverloads, notDerivable, omittedFunction, untypedParameter } from './derivation.rules.js';
import { looserOverride, stricterOverride } from './override.rules.js';
import { invalidOption, unaskedApprovers, unknownOption } from './options.rules.js';
import type { Rule } from './rule.js';
import {
  largeSkill,
  skillChanged,
  skillFileMissing,
  skillFolderMissing,
  skillRefused,
  skillScript,
} from './skill.rules.js';
import {
  deepNesting,
  largeDeclaration,
  longDescription,
  longEnum,
  tooManyParameters,
  tooManyTools,
} from './size.rules.js';
import { undocumentedParameter, undocumentedTool, unknownParam, unreadComment } from './comment.rules.js';
import { untrustedPath } from './untrusted-path.rule.js';
import { unusedIgnore } from '../ignores.js';

/** Every rule there is, in the order in which they are listed. */
export const RULES: readonly Rule[] = [
  experimentalDecorators,
  notDerivable,
  invalidOption,
  illegalName,
  nameTaken,
  looserOverride,
  severalInversify,
  skillRefused,
  mergedOverloads,
  undocumentedTool,
  unreadComment,
  unknownParam,
  undocumentedParameter,
  untypedParameter,
  genericName,
  tooManyParameters,
  tooManyTools,
  longDescription,
  longEnum,
  deepNesting,
  largeDeclaration,
  largeSkill,
  skillFolderMissing,
  skillFileMissing,
  skillScript,
  skillChanged,
  earlyPlaceholder,
  dialectUndeclarable,
  dialectUnsaid,
  dialectWords,
  stricterOverride,
  omittedFunction,
  untrustedPath,
  noApprovers,
  unaskedApprovers,
  unknownOption,
  dynamicInstruction,
  unusedIgnore,
];

/** The documentation of a rule. */
export interface RuleSummary {
  readonly name: string;
  readonly severity: Severity;
  readonly about: string;
}

export function listRules(): RuleSummary[] {
  return RULES.map(({ name, severity, about }) => ({ name, severity, about }));
}
