import { BUNDLERS } from './projects/bundlers.mjs';
import { COPIES } from './projects/copies.mjs';
import { INSTALLED } from './projects/installed.mjs';
import { JEST_AND_VITEST } from './projects/jest.mjs';
import { PLUGIN } from './projects/plugin.mjs';
import { RUNTIMES } from './projects/runtimes.mjs';
import { SWC } from './projects/swc.mjs';
import { TSC } from './projects/tsc.mjs';
import { TSX } from './projects/tsx.mjs';
import { TYPE_STRIPPING } from './projects/type-stripping.mjs';
import { WITHOUT_CODE_GENERATION } from './projects/without-code-generation.mjs';

/** Every way of running TypeScript that the matrix speaks of, in the order of its table. */
export const PROJECTS = [
  ...TSC,
  ...SWC,
  ...TSX,
  ...TYPE_STRIPPING,
  ...BUNDLERS,
  ...PLUGIN,
  ...JEST_AND_VITEST,
  ...INSTALLED,
  ...COPIES,
  ...WITHOUT_CODE_GENERATION,
  ...RUNTIMES,
];
