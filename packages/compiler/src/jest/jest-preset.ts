import type { Config } from 'jest';

import { TYPESCRIPT, WITHOUT_JS_ENDING } from './typescript-files.js';

/** For projects of ES modules: Jest runs with `--experimental-vm-modules`. */
export default {
  extensionsToTreatAsEsm: ['.ts', '.tsx', '.mts'],
  moduleNameMapper: WITHOUT_JS_ENDING,
  transform: { [TYPESCRIPT]: ['ts-jest', { useESM: true }] },
  globalSetup: '@adorn/compiler/jest/warm-cache',
} satisfies Config;
