import { ToolError } from '@adorn/core';

import type { ChangeKind } from '../changes/change.tool.js';
import { textIn } from '../changes/file-text.js';
import { shownPath } from '../errors.js';
import { PATH } from './path-parameter.js';

/** `edit_file`: replaces a text in a file. The text must be there once, so that no other place is changed than the model means. */
export const EDIT_FILE: ChangeKind = {
  name: 'edit_file',
  description:
    'Replace a text in a file by another. "oldText" must be in the file exactly once, with its spaces and line ends, and without the ' +
    'line numbers of read_file; add lines around it until it is unique, or set "replaceAll".',
  effect: 'write',
  parameters: {
    type: 'object',
    properties: {
      path: PATH,
      oldText: { type: 'string', minLength: 1, description: 'The exact text to replace.' },
      newText: { type: 'string', description: 'What stands there then. Empty to remove the text.' },
      replaceAll: { type: 'boolean', description: 'Replace it wherever it is. Default: false.' },
    },
    required: ['path', 'oldText', 'newText'],
    additionalProperties: false,
  },
  creates: () => false,
  isDestructive: () => false,
  check: ({ path }, before) => {
    if (!before) throw new ToolError(`There is no file ${shownPath(String(path))}. Create it by write_file.`);
  },
  after: (args, before) => {
    const { path, oldText, newText, replaceAll = false } = args as unknown as EditArguments;
    const shown = shownPath(path);
    const text = before && textIn(before);
    if (text === undefined) throw new ToolError(`The file ${shown} is no text, and cannot be edited.`);
    if (oldText === newText)
      throw new ToolError('oldText and newText are equal: there is nothing to change.');
    const [old, replacement] = inLineEndsOf(text, [oldText, newText]);
    const pieces = text.split(old);
    const count = pieces.length - 1;
    if (count === 0)
      throw new ToolError(
        `The file ${shown} does not have this oldText. Read the file, and copy the text from it.`,
      );
    if (count > 1 && !replaceAll)
      throw new ToolError(
        `The file ${shown} has this oldText ${String(count)} times. Add lines around it until it is unique, or set replaceAll.`,
      );
    return Buffer.from(pieces.join(replacement));
  },
};

interface EditArguments {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
}

/** Models write `\n`: in a file whose lines all end with `\r\n`, it means that. */
function inLineEndsOf(text: string, texts: readonly [string, string]): readonly [string, string] {
  const isWindows = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  if (!isWindows) return texts;
  const [old, replacement] = texts.map((one) => one.replaceAll(/\r?\n/g, '\r\n'));
  return [old as string, replacement as string];
}
