import type { Config } from 'jest';

import { TYPESCRIPT, WITHOUT_JS_ENDING } from '../jest/typescript-files.js';

/** Packages published only as ES modules, which Jest needs as CommonJS. */
const ES_MODULES = ['adorn', '@adorn', 'inversify', '@inversifyjs', '@google/genai'];

/** Packages lie in node_modules, or deeper in the stores of pnpm (`.pnpm`) and of npm's linked installs (`.store`). */
const STORED = '(?:\\.(?:pnpm|store)/(?:[^/]+/){1,2}node_modules/)?';

/** Transforms each file separately: no type check, and no settings of the project. */
const JAVASCRIPT = {
  diagnostics: false,
  tsconfig: {
    allowJs: true,
    isolatedModules: true,
    esModuleInterop: true,
    target: 'ES2022',
    module: 'CommonJS',
    moduleResolution: 'Node10',
  },
};

/** For projects that run Jest in CommonJS: imported ES modules are transformed too. */
export default {
  moduleNameMapper: WITHOUT_JS_ENDING,
  transform: {
    [TYPESCRIPT]: ['ts-jest', {}],
    '/node_modules/.+\\.m?js$': ['ts-jest', JAVASCRIPT],
  },
  transformIgnorePatterns: [`/node_modules/(?!${STORED}(?:${ES_MODULES.join('|')})/)`],
  globalSetup: '@adorn/compiler/jest/warm-cache',
} satisfies Config;
