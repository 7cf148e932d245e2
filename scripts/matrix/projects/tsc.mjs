import { endsWell, refuses, works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';

export const PRODUCTION = { NODE_ENV: 'production' };

const NOT_BUILT = refuses('SCHEMA_MISSING', /"adorn build" has not written it.*Run "adorn build" after tsc/);

/**
 * What tsc, or what stands for it, emits file by file: derived on demand in development, refused in production
 * until `adorn build` has run.
 *
 * @param {{ name: string, tools: string, emit: string[], files: object, main?: string,
 *   onDemand?: import('../outcome.mjs').Expectation }} project
 * @returns {import('../run-project.mjs').Project}
 */
export function emitting({ name, tools, emit, files, main = 'build/main.js', onDemand = works() }) {
  const run = ['node', main];
  return {
    name,
    tools,
    files,
    cells: [
      { name: 'on demand', before: [emit], run, expects: onDemand },
      { name: 'production', run, env: PRODUCTION, expects: NOT_BUILT },
      { name: 'adorn build', before: [['adorn', 'build']], run, env: PRODUCTION, expects: works() },
    ],
  };
}

/** For continuous integration: what was just built is up to date. */
const CHECKED = {
  name: 'adorn build --check',
  run: ['adorn', 'build', '--check'],
  expects: endsWell('is up to date'),
};

/** What a tsconfig of a later TypeScript may say, and 5.9 does not know. */
const LATER = { target: 'ES2025', lib: ['ES2025'], stableTypeOrdering: true };

/** Nothing is said that has a default: strict, ES2025, a bundler's resolution. */
const UNSAID = {
  compilerOptions: {
    types: ['*'],
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    sourceMap: true,
    rootDir: '.',
    outDir: 'build',
  },
};

/** What `tsc --init` writes, apart from what every user of Adorn adds. */
const INITIAL = tsconfig({
  target: 'ESNext',
  lib: undefined,
  declaration: true,
  declarationMap: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  jsx: 'react-jsx',
  verbatimModuleSyntax: true,
  isolatedModules: true,
  noUncheckedSideEffectImports: true,
  moduleDetection: 'force',
});

export const TSC = [
  checked(compiledBy('typescript-5', 'tsc 5.9', tsconfig())),
  compiledBy('typescript-6', 'tsc 6.0', tsconfig(LATER)),
  checked(compiledBy('typescript-7', 'tsc 7.0', tsconfig({ ...LATER, checkers: 2 }))),
  compiledBy('typescript-6', 'tsc 6.0, defaults', UNSAID, 'build/src/main.js'),
  compiledBy('typescript-7', 'tsc 7.0, as initialised', INITIAL),
  compiledBy('typescript-5', 'tsc 5.9, CommonJS', tsconfig(), 'build/main.js', 'commonjs'),
];

function compiledBy(tools, name, config, main, type = 'module') {
  const files = { 'package.json': { type }, 'tsconfig.json': config };
  return emitting({ name, tools, emit: ['tsc'], files, main });
}

function checked(project) {
  return { ...project, cells: [...project.cells, CHECKED] };
}
