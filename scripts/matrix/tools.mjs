/** What users compile, bundle and test with, in the versions that the matrix speaks of. Nothing else names them. */
const VERSIONS = {
  '@jest/globals': '30.5.2',
  '@swc/cli': '0.8.1',
  '@swc/core': '1.16.22',
  '@swc/jest': '0.2.39',
  '@types/jest': '30.0.0',
  '@types/node': '20.19.43',
  'class-transformer': '0.5.1',
  'class-validator': '0.15.1',
  esbuild: '0.28.2',
  jest: '30.5.2',
  rolldown: '1.3.2',
  'ts-jest': '29.4.15',
  'ts-loader': '9.6.2',
  tsx: '4.23.15',
  vite: '8.3.8',
  vitest: '4.1.12',
  webpack: '5.112.2',
  'webpack-cli': '7.3.1',
};

const QUIETLY = '--prefer-offline --no-audit --no-fund';

const VALIDATION = ['class-transformer', 'class-validator'];

/** The lower ends of the ranges in our package.json files, of packages that applications also install. */
const OLDEST = {
  '@google/genai': '2.32.0',
  '@standard-schema/spec': '1.0.0',
  'class-transformer': '0.5.1',
  'class-validator': '0.14.0',
  inversify: '8.0.0',
  'reflect-metadata': '0.2.2',
};

/**
 * The sets of tools that are installed together, each in a folder of its own: a set for each TypeScript, one in which
 * every package lies behind a link and sees its own dependencies only, one with the oldest versions of what applications
 * share with us, and one of what runs in production.
 *
 * A set with `install` is installed by that command from a registry on loopback; the packages under `newer` are there in
 * two versions.
 *
 * @type {Record<string, { packages?: string[], flags?: string[], dependencies: object, install?: string,
 *   newer?: string[], files?: Record<string, string> }>}
 */
export const TOOL_SETS = {
  'typescript-5': { dependencies: { typescript: '5.9.3', ...VERSIONS } },
  'typescript-6': { dependencies: { typescript: '6.0.3', ...picked('@types/node', ...VALIDATION) } },
  'typescript-7': { dependencies: { typescript: '7.0.2', ...picked('@types/node', ...VALIDATION) } },
  linked: {
    flags: ['--install-strategy=linked'],
    dependencies: { typescript: '5.9.3', ...picked('@types/node', ...VALIDATION) },
  },
  oldest: { dependencies: { typescript: '5.9.3', ...picked('@types/node'), ...OLDEST } },
  production: {
    packages: [
      'adorn',
      '@adorn/compaction',
      '@adorn/core',
      '@adorn/gemini',
      '@adorn/plugins',
      '@adorn/policies',
      '@adorn/schema',
      '@adorn/testing',
    ],
    dependencies: picked(...VALIDATION),
  },
  workerd: {
    dependencies: {
      typescript: '5.9.3',
      miniflare: '4.20260730.0',
      ...picked('@types/node', 'esbuild', ...VALIDATION),
    },
  },
  runtimes: {
    dependencies: {
      typescript: '5.9.3',
      bun: '1.4.5',
      deno: '2.9.6',
      ...picked('@types/node', ...VALIDATION),
    },
  },
  next: {
    dependencies: {
      typescript: '5.9.3',
      next: '15.5.29',
      react: '19.2.0',
      'react-dom': '19.2.0',
      '@types/react': '19.2.0',
      ...picked('@types/node', ...VALIDATION),
    },
  },
  // For packages that extend Adorn: nothing optional is installed.
  'core alone': { packages: ['@adorn/core', '@adorn/schema', '@adorn/testing'], dependencies: {} },
  // What depends on core was released again, and the storage was not.
  'version skew': {
    install: `npm install ${QUIETLY}`,
    newer: [
      'adorn',
      '@adorn/compaction',
      '@adorn/core',
      '@adorn/gemini',
      '@adorn/plugins',
      '@adorn/policies',
      '@adorn/schema',
      '@adorn/testing',
    ],
    dependencies: published('adorn', '@adorn/storage', '@adorn/testing'),
  },
  // Every package sees its own dependencies only.
  pnpm: {
    install: 'npx --yes pnpm@12.21.0 install',
    files: { 'pnpm-workspace.yaml': "allowBuilds:\n  '@google/genai': false\n  protobufjs: false\n" },
    dependencies: {
      ...published('adorn', '@adorn/storage', '@adorn/testing', '@adorn/cli', '@adorn/compiler'),
      typescript: '5.9.3',
      ...picked('@types/node', ...VALIDATION),
    },
  },
};

/** A newer one's binaries are missing. */
export const OVERRIDES = { 'unrs-resolver': '1.12.2' };

/** Our packages by the range that `npm install` writes. */
function published(...names) {
  return Object.fromEntries(names.map((name) => [name, '^0.1.0']));
}

function picked(...names) {
  return Object.fromEntries(names.map((name) => [name, VERSIONS[name]]));
}
