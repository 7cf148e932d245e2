import { type Tool, Toolset } from '@adorn/core';

import { changeTool } from './changes/change.tool.js';
import { runCodeTool } from './code/run-code.tool.js';
import { filesOfCall, type WorkspaceSource } from './files-of-call.js';
import { checkOptions, type WorkspaceOptions } from './options.js';
import { DELETE_FILE } from './tools/delete-file.tool.js';
import { EDIT_FILE } from './tools/edit-file.tool.js';
import { globTool } from './tools/glob.tool.js';
import { grepTool } from './tools/grep.tool.js';
import { listFilesTool } from './tools/list-files.tool.js';
import { readFileTool } from './tools/read-file.tool.js';
import { WRITE_FILE } from './tools/write-file.tool.js';

/**
 * Files that a model lists, reads, searches and changes: `list_files`, `read_file`, `glob`, `grep`, `write_file`, `edit_file`,
 * `delete_file`; with an `executor` also `run_code`, whose working folder has the files. Each change is of the version that was read,
 * is undone by `runner.undo`, and waits for a person if `confirm` says so; the question is a unified diff.
 *
 * @param source the path or `file:` URL of a folder; a store; or a function of the context of a call, such as `artifactFiles()`
 * @throws {WorkspaceOptionError} if an option is invalid, or there is no such folder
 * @example
 * @agent({ tools: [workspace('./project', { confirm: 'write' })] })
 * class Editor extends LlmAgent {}
 */
export function workspace(source: WorkspaceSource, options: WorkspaceOptions = {}): WorkspaceToolset {
  return new WorkspaceToolset(source, options);
}

/** The tools of a workspace. */
export class WorkspaceToolset extends Toolset {
  private readonly tools: readonly Tool[];

  /** @throws {WorkspaceOptionError} */
  constructor(source: WorkspaceSource, options: WorkspaceOptions = {}) {
    super();
    checkOptions(options);
    const { readOnly = false, untrusted = false, confidential = false, executor } = options;
    const labels = { untrusted, confidential };
    const filesOf = filesOfCall(source);
    const reading = [
      listFilesTool(filesOf),
      readFileTool(filesOf, labels),
      globTool(filesOf),
      grepTool(filesOf, labels),
    ];
    const kinds = readOnly ? [] : [WRITE_FILE, EDIT_FILE, DELETE_FILE];
    this.tools = [
      ...reading,
      ...kinds.map((kind) => changeTool(kind, filesOf, options)),
      ...(executor ? [runCodeTool(executor, filesOf, options)] : []),
    ];
  }

  override listTools(): readonly Tool[] {
    return this.tools;
  }
}
