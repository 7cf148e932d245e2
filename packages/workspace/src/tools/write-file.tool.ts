import { ToolError } from '@adorn/core';

import type { ChangeKind } from '../changes/change.tool.js';
import { shownPath } from '../errors.js';
import type { StoredFile } from '../stores/workspace-store.js';
import { PATH } from './path-parameter.js';

/** `write_file`: creates a file, or writes over one whose version the model has read. */
export const WRITE_FILE: ChangeKind = {
  name: 'write_file',
  description:
    'Create a file, with its folders. To write over a file as a whole, pass the "version" that read_file returned; to change a part ' +
    'of it, call edit_file.',
  effect: 'write',
  parameters: {
    type: 'object',
    properties: {
      path: PATH,
      content: { type: 'string', description: 'The whole text of the file.' },
      version: {
        type: 'string',
        description: 'Of the file that is written over. Leave it out for a new file.',
      },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  creates: ({ version }) => version === undefined,
  isDestructive: (before) => before !== undefined,
  check: (args, before) => {
    const fault = faultOf(args as unknown as WriteArguments, before);
    if (fault !== undefined) throw new ToolError(fault);
  },
  after: ({ content }) => Buffer.from(String(content)),
};

interface WriteArguments {
  readonly path: string;
  readonly version?: string;
}

/** Why a file cannot be written so; undefined if it can. */
function faultOf({ path, version }: WriteArguments, before: StoredFile | undefined): string | undefined {
  if (before?.version === version) return undefined;
  const shown = shownPath(path);
  if (version === undefined)
    return `The file ${shown} exists already. Read it, and pass its version to write over it.`;
  if (!before) return `There is no file ${shown}. Leave "version" out to create it.`;
  return `The file ${shown} does not have the version ${shownPath(version)}. Read it again first.`;
}
