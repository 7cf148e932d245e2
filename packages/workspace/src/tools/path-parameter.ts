import type { JsonSchema } from '@adorn/core';

/** The parameter that names a file. */
export const PATH: JsonSchema = {
  type: 'string',
  description: 'From the root of the workspace, such as src/main.ts.',
};

/** The parameter that names a folder. */
export const FOLDER: JsonSchema = {
  type: 'string',
  description: 'A folder, such as src. Default: the root of the workspace.',
};

/** The parameter with which a model reads on in a list. */
export const OFFSET: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'How many to leave out, to read on: the nextOffset of the call before. Default: 0.',
};
