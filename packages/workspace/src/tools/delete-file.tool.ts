import { ToolError } from '@adorn/core';

import type { ChangeKind } from '../changes/change.tool.js';
import { shownPath } from '../errors.js';
import { PATH } from './path-parameter.js';

/** `delete_file`: deletes one file. */
export const DELETE_FILE: ChangeKind = {
  name: 'delete_file',
  description: 'Delete a file.',
  effect: 'destructive',
  parameters: {
    type: 'object',
    properties: { path: PATH },
    required: ['path'],
    additionalProperties: false,
  },
  creates: () => false,
  isDestructive: () => true,
  check: ({ path }, before) => {
    if (!before) throw new ToolError(`There is no file ${shownPath(String(path))}.`);
  },
  after: () => undefined,
};
