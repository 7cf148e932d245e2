import { FunctionTool, type Tool } from '@adorn/core';

import { type FilesOfCall, told } from '../files-of-call.js';
import { checkedFolder } from '../paths/file-path.js';
import type { WorkspaceStore } from '../stores/workspace-store.js';
import { FOLDER, OFFSET } from './path-parameter.js';

/** How many entries a model reads at once. */
const MOST_ENTRIES = 500;

/** How many files of a workspace are looked at. */
export const MOST_FILES = 50_000;

/** The tool with which a model sees what is in a folder. */
export function listFilesTool(filesOf: FilesOfCall): Tool {
  return new FunctionTool({
    name: 'list_files',
    description: `List the files and folders in a folder of the workspace; the names of folders end with "/". At most ${String(MOST_ENTRIES)} are returned at once.`,
    effect: 'read',
    parameters: {
      type: 'object',
      properties: {
        path: FOLDER,
        recursive: { type: 'boolean', description: 'All files below the folder. Default: false.' },
        offset: OFFSET,
      },
      additionalProperties: false,
    },
    run: (args, context) =>
      told(async () => {
        const { path = '', recursive = false, offset = 0 } = args as ListArguments;
        const folder = checkedFolder(path);
        const { entries, isCut } = await entriesIn(filesOf(context), folder, recursive);
        const shown = entries.slice(offset, offset + MOST_ENTRIES);
        const next = offset + shown.length;
        return {
          entries: shown,
          nextOffset: next < entries.length ? next : undefined,
          total: entries.length,
          note: isCut ? CUT : undefined,
        };
      }),
  });
}

/** Said where a workspace has more files than are looked at. */
export const CUT = `Only the first ${String(MOST_FILES)} files were looked at. Name a folder.`;

interface ListArguments {
  readonly path?: string;
  readonly recursive?: boolean;
  readonly offset?: number;
}

async function entriesIn(files: WorkspaceStore, folder: string, recursive: boolean) {
  const entries = new Set<string>();
  let count = 0;
  for await (const { path } of files.list(folder)) {
    if (count++ === MOST_FILES) return { entries: [...entries], isCut: true };
    const start = folder === '' ? 0 : folder.length + 1;
    const end = recursive ? -1 : path.indexOf('/', start);
    entries.add(end === -1 ? path : path.slice(0, end + 1));
  }
  return { entries: [...entries], isCut: false };
}
