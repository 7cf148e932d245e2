import { deepNesting } from './deep-nesting.rule.js';
import { dialectUndeclarable, dialectUnsaid, dialectWords } from './dialect.rules.js';
import { experimentalDecorators } from './experimental-decorators.rule.js';
import { genericName } from './generic-name.rule.js';
import { illegalName } from './illegal-name.rule.js';
import { mergedOverloads } from './merged-overloads.rule.js';
import { nameTaken } from './name-taken.rule.js';
import { notDerivable } from './not-derivable.rule.js';
import { looserOverride, stricterOverride } from './override.rules.js';
import type { Rule } from './rule.js';
import { severalInversify } from './several-inversify.rule.js';
import { largeDeclaration, longDescription, longEnum } from './size.rules.js';
import { tooManyParameters } from './too-many-parameters.rule.js';
import { tooManyTools } from './too-many-tools.rule.js';
import { undocumentedParameter } from './undocumented-parameter.rule.js';
import { undocumentedTool } from './undocumented-tool.rule.js';
import { unknownParam } from './unknown-param.rule.js';
import { unreadComment } from './unread-comment.rule.js';
import { untypedParameter } from './untyped-parameter.rule.js';
import { untrustedPath } from './untrusted-path.rule.js';
import { unusedIgnore } from './unused-ignore.rule.js';

/** Every rule there is, in the order in which they are listed. */
export const RULES: readonly Rule[] = [
  experimentalDecorators,
  notDerivable,
  illegalName,
  nameTaken,
  looserOverride,
  severalInversify,
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
  dialectUndeclarable,
  dialectUnsaid,
  dialectWords,
  stricterOverride,
  untrustedPath,
  unusedIgnore,
];
