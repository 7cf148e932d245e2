import type { Dialect } from '@adorn/core/dialects';

import type { Project } from '../../program/read-project.js';
import type { CheckerContext } from '../../schema/checker-context.js';
import type { ts } from '../../typescript.js';
import type { Diagnostic, Severity } from '../check-report.js';
import type { FoundSkills } from '../skills/found-skills.js';
import type { FoundOptions } from '../tools/found-options.js';
import type { FoundAgent, FoundService, FoundTool } from '../tools/found-tool.js';

/** A finding of a rule with its location. */
export interface Finding extends Pick<Diagnostic, 'message' | 'cure' | 'code' | 'dialect' | 'losses'> {
  readonly node: ts.Node;
}

/** A project with its own sources. */
export interface FoundProject {
  readonly project: Project;
  readonly files: readonly ts.SourceFile[];
  readonly world: CheckerContext;
}

/** One rule of `adorn check`, for each kind of subject that it can examine. */
export interface Rule {
  /** The same from release to release: it is written where a finding is silenced. */
  readonly name: string;
  readonly severity: Severity;
  /** The findings of the rule. */
  readonly about: string;
  ofProject?(project: FoundProject): readonly Finding[];
  ofTool?(tool: FoundTool, dialects: readonly Dialect[]): readonly Finding[];
  ofService?(service: FoundService): readonly Finding[];
  ofOptions?(options: FoundOptions): readonly Finding[];
  ofAgent?(agent: FoundAgent): readonly Finding[];
  ofSkills?(skills: FoundSkills): readonly Finding[];
}
