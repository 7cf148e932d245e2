import { FunctionTool, type Tool } from '@adorn/core';

import { type FilesOfCall, told } from '../files-of-call.js';
import { checkedFolder } from '../paths/file-path.js';
import { globSource } from '../search/glob-pattern.js';
import { PatternSearch } from '../search/pattern-search.js';
import type { WorkspaceStore } from '../stores/workspace-store.js';
import { CUT, MOST_FILES } from './list-files.tool.js';
import { FOLDER, OFFSET } from './path-parameter.js';

/** How many paths a model reads at once. */
const MOST_PATHS = 500;

/** The tool with which a model finds files by their paths. */
export function globTool(filesOf: FilesOfCall): Tool {
  return new FunctionTool({
    name: 'glob',
    description: `Find files by a pattern of their paths, such as **/*.ts or src/{a,b}/*.md. At most ${String(MOST_PATHS)} are returned at once.`,
    effect: 'read',
    parameters: {
      type: 'object',
      properties: {
        pattern: {
          type: 'string',
          minLength: 1,
          description: '* and ? within a name, ** over folders, {a,b} and [abc].',
        },
        path: FOLDER,
        offset: OFFSET,
      },
      required: ['pattern'],
      additionalProperties: false,
    },
    run: (args, context) =>
      told(async () => {
        const { pattern, path = '', offset = 0 } = args as unknown as GlobArguments;
        const folder = checkedFolder(path);
        const { paths, isCut } = await pathsIn(filesOf(context), folder);
        await using search = new PatternSearch(globSource(pattern), '', context.signal);
        const found = await search.found(paths.map((one) => within(folder, one)));
        const shown = found.slice(offset, offset + MOST_PATHS).map(({ index }) => paths[index]);
        const next = offset + shown.length;
        return {
          paths: shown,
          nextOffset: next < found.length ? next : undefined,
          total: found.length,
          note: isCut ? CUT : undefined,
        };
      }),
  });
}

interface GlobArguments {
  readonly pattern: string;
  readonly path?: string;
  readonly offset?: number;
}

/** The paths of the files below a folder. */
export async function pathsIn(
  files: WorkspaceStore,
  folder: string,
): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }> {
  const paths: string[] = [];
  for await (const { path } of files.list(folder)) {
    if (paths.length === MOST_FILES) return { paths, isCut: true };
    paths.push(path);
  }
  return { paths, isCut: false };
}

/** A path from a folder on, which a pattern is about. */
export function within(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}
