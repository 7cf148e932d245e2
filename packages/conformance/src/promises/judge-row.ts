import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Check } from '../check.js';
import { titlesIn } from './spec-titles.js';

/** A promise, and the tests that hold it. */
export interface PromiseRow {
  readonly row: string;
  readonly says: string;
  readonly held: readonly { readonly spec: string; readonly test: string }[];
  /** Why no test, or not every test that it takes, is there. */
  readonly missing?: string;
}

/**
 * Looks whether the tests of a row are there.
 *
 * @param root the folder that the specs are named from
 */
export function judgeRow({ row, says, held, missing }: PromiseRow, root: string): Check {
  const what = `${row} (${says})`;
  if (held.length === 0 && (missing ?? '').trim() === '')
    return { what, fault: 'has neither a test nor a reason' };
  for (const { spec, test } of held) {
    const path = join(root, spec);
    if (!existsSync(path)) return { what, fault: `there is no ${spec}` };
    if (!titlesIn(path).has(test)) return { what, fault: `${spec} has no test "${test}"` };
  }
  return { what };
}
