/** @jest-config-loader esbuild-register */
import { availableParallelism } from 'node:os';

import type { Config } from 'jest';

const config: Config = {
  roots: ['<rootDir>/packages', '<rootDir>/samples'],
  testMatch: ['**/src/**/*.spec.ts'],
  // The templates of `adorn new` are projects of their own, with tests for node:test.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/(packages|samples)/[^/]+/(build|dist|docs|templates)/',
  ],
  modulePathIgnorePatterns: ['<rootDir>/(packages|samples)/[^/]+/(build|dist|docs|templates)/'],
  // No test is about time: a slow machine may take long over real servers and compilers, and a long search as long as it takes.
  testTimeout: process.env['ADORN_PROPERTY_RUNS'] === undefined ? 60_000 : 3_600_000,
  testEnvironment: '<rootDir>/scripts/jest/environment.cjs',
  runtime: '<rootDir>/scripts/jest/runtime.cjs',
  testSequencer: '<rootDir>/scripts/jest/sequencer.cjs',
  globalSetup: '<rootDir>/scripts/jest/before-all.mjs',
  setupFiles: ['<rootDir>/scripts/jest/globals.mjs'],
  // Specs of servers and engines wait for a part of their time: one worker more than cores. Node keeps some of what each
  // sandbox has loaded, so a full worker is replaced.
  maxWorkers: availableParallelism() + 1,
  workerIdleMemoryLimit: '1500MB',
  // Runners log in nearly every spec. `npm test -- --silent=false` shows it.
  silent: true,
  reporters: ['default', '<rootDir>/scripts/jest/closing-line.reporter.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^adorn$': '<rootDir>/packages/adorn/src/index.ts',
    '^adorn/(backend|main)$': '<rootDir>/packages/adorn/src/$1.ts',
    '^@adorn/([^/]+)$': '<rootDir>/packages/$1/src/index.ts',
    '^@adorn/core/(backend|compiler|dialects)$': '<rootDir>/packages/core/src/$1.ts',
    '^@adorn/schema/dialects$': '<rootDir>/packages/schema/src/dialects/index.ts',
    '^@adorn/testing/contracts$': '<rootDir>/packages/testing/src/contracts/index.ts',
    '^@adorn/sandbox/(contract|tools)$': '<rootDir>/packages/sandbox/src/$1/index.ts',
    '^@adorn/workspace/contract$': '<rootDir>/packages/workspace/src/contract/index.ts',
    '^@adorn/testing/runner$': '<rootDir>/packages/testing/src/runner/index.ts',
    '^@adorn/testing/servers$': '<rootDir>/packages/testing/src/servers/index.ts',
    '^@adorn/testing/jest$': '<rootDir>/packages/testing/src/jest.ts',
    '^(ajv(?:/dist/20(?:19|20)\\.js)?|ajv-formats|typescript-json-schema)$':
      '<rootDir>/scripts/jest/lent/$1.cjs',
    '^fast-check$': '<rootDir>/scripts/jest/fast-check.mjs',
    '^@adorn/channels/email$': '<rootDir>/packages/channels/src/email/index.ts',
    '^@adorn/server/client$': '<rootDir>/packages/server/src/client/index.ts',
    '^@adorn/(conformance|chaos)/(.+)$': '<rootDir>/packages/$1/src/$2.ts',
    '^@adorn/compiler/(build|derive)$': '<rootDir>/packages/compiler/src/$1.ts',
  },
  transform: {
    '^.+\\.ts$': ['ts-jest', { useESM: true, tsconfig: '<rootDir>/packages/tsconfig.specs.json' }],
  },
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
};

export default config;
