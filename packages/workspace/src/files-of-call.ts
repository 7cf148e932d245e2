import { type ToolContext, ToolError } from '@adorn/core';
import { describeThrown, shown } from '@adorn/core/backend';

import { FileError, WorkspaceOptionError } from './errors.js';
import { folderFiles } from './stores/folder.store.js';
import { WorkspaceStore } from './stores/workspace-store.js';

/** Where the files of a workspace are: the path or the `file:` URL of a folder, a store, or a function that gives the store of a call. */
export type WorkspaceSource = string | URL | WorkspaceStore | ((context: ToolContext) => WorkspaceStore);

/** Gives the store of a call. */
export type FilesOfCall = (context: ToolContext) => WorkspaceStore;

/** @throws {WorkspaceOptionError} */
export function filesOfCall(source: WorkspaceSource): FilesOfCall {
  if (typeof source === 'function')
    return (context) => {
      const store: unknown = source(context);
      if (store instanceof WorkspaceStore) return store;
      throw new WorkspaceOptionError(
        `its function returned ${shown(store)}`,
        'Return a store, such as folderFiles(…).',
      );
    };
  const store = source instanceof WorkspaceStore ? source : folderFiles(source);
  return () => store;
}

/** Runs work on files. What a store refuses, the model reads: it can do something about it. */
export async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) throw new ToolError(describeThrown(error).message, { cause: error });
    throw error;
  }
}
