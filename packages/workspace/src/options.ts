import {
  approverFault,
  type ApproverRule,
  APPROVERS_CURE,
  BOOLEAN,
  type CodeExecutor,
  OBJECT,
  optionFault,
  type OptionRules,
  rule,
} from '@adorn/core/backend';
import type { ToolContext } from '@adorn/core';

import type { FileChange } from './changes/file-change.js';
import { WorkspaceOptionError } from './errors.js';

/**
 * Before which changes a person is asked: before each one (`true` or `'write'`); before files are deleted or written over as a whole
 * (`'destructive'`); never (`false`); or as a function decides, by false, true, or a text that is shown above the diff.
 */
export type WorkspaceConfirm =
  | boolean
  | 'write'
  | 'destructive'
  | ((change: FileChange, context: ToolContext) => boolean | string | Promise<boolean | string>);

/** The options of `workspace`. */
export interface WorkspaceOptions {
  /** Only the tools that read. Default: false. */
  readonly readOnly?: boolean;
  /** Before which changes a person is asked; the question is a unified diff. Default: `destructive`. */
  readonly confirm?: WorkspaceConfirm;
  /** Who may answer. Default: the requester. */
  readonly approvers?: ApproverRule;
  /**
   * True if files hold text from third parties, which may try to steer the model: what is read is then untrusted, as of a tool with
   * `untrusted`. Default: false.
   */
  readonly untrusted?: boolean;
  /** True if files hold values that must not leave: what is read is then confidential, as of a tool with `confidential`. Default: false. */
  readonly confidential?: boolean;
  /** Runs code of the model on the files, such as `bubblewrap()` of `@adorn/sandbox`. Default: none. */
  readonly executor?: CodeExecutor;
}

/** What is known of the files that a model reads. */
export type FileLabels = Pick<WorkspaceOptions, 'untrusted' | 'confidential'>;

const RULES: OptionRules<WorkspaceOptions> = {
  readOnly: BOOLEAN,
  confirm: rule(
    (value) =>
      typeof value === 'boolean' ||
      typeof value === 'function' ||
      value === 'write' ||
      value === 'destructive',
    "Pass true, false, 'write', 'destructive', or a function of the change.",
  ),
  approvers: {
    isValid: (value) => approverFault(value) === undefined,
    cure: (value) => `Here, ${approverFault(value) ?? ''}. ${APPROVERS_CURE}`,
  },
  untrusted: BOOLEAN,
  confidential: BOOLEAN,
  executor: OBJECT,
};

/** @throws {WorkspaceOptionError} */
export function checkOptions(options: WorkspaceOptions): void {
  const found = optionFault(options, RULES);
  if (found) throw new WorkspaceOptionError(found.fault, found.cure);
  if (options.readOnly === true && options.executor !== undefined)
    throw new WorkspaceOptionError(
      'readOnly is true, and executor is set',
      'Leave one of them out: code writes files.',
    );
}
