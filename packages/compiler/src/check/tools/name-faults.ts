import { AdornError } from '@adorn/core';

import { type Named, onlyOneNamed } from '../../derive/only-one-named.js';
import type { ToolFault } from './found-tool.js';

/** Why something is not found by its name when the program runs: one before it in its file has the same. */
export function nameFaults(one: Named, kind: string, all: readonly Named[]): ToolFault[] {
  try {
    onlyOneNamed(one, kind, all.slice(0, all.indexOf(one)));
    return [];
  } catch (error) {
    if (!AdornError.is(error)) throw error;
    return [{ node: one.node, error }];
  }
}
