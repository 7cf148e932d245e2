const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

/** The folders of core, lowest first: a folder imports itself and lower levels only, and no neighbour. */
const LEVELS = [
  ['metadata'],
  ['runtime'],
  ['auth', 'approvals'],
  ['events'],
  ['log'],
  ['stores'],
  ['models', 'code-execution'],
  ['run'],
  ['tools'],
  ['gates'],
  ['turn'],
  ['agents'],
  ['compaction'],
  ['runner'],
  ['app'],
];

/** What a package may import of the others. One that is not named here may import core. */
const ARROWS = {
  schema: [],
  core: ['schema'],
  adorn: ['core', 'gemini', 'ai-sdk', 'plugins', 'policies', 'compaction', 'live', 'offline', 'sandbox'],
  cli: [
    'core',
    'compiler',
    'adorn',
    'testing',
    'storage',
    'server',
    'eval',
    'telemetry',
    'fleet',
    'pg-boss',
    'restate',
    'evidence',
    'skills',
    'schedules',
    'mcp',
  ],
  'create-adorn': ['cli'],
  server: ['core', 'policies', 'compaction', 'http', 'live', 'eval', 'a2a'],
  studio: ['core', 'server'],
  testing: ['core', 'adorn', 'offline'],
  eval: ['core', 'evidence'],
  'ai-sdk': ['core', 'http'],
  openapi: ['core', 'http'],
  skills: ['core', 'sandbox'],
  memory: ['core', 'live'],
  workspace: ['core', 'sandbox'],
  fleet: ['core', 'storage'],
  'pg-boss': ['core', 'fleet'],
  restate: ['core', 'fleet'],
  mcp: ['core', 'policies', 'compaction', 'http'],
  a2a: ['core', 'policies', 'compaction', 'http'],
};

/**
 * Private packages check, measure and describe the others, so they may import any published one. Among themselves: chaos
 * imports conformance, and benchmarks imports both.
 */
const UNBOUND = ['conformance', 'chaos', 'benchmarks', 'docs'];

const SPEC = '\\.(spec|fixture)\\.ts$';
const CORE = '^packages/core/src';
const SAMPLES_MAY_IMPORT =
  '^packages/(adorn|evidence|testing|cli|eval|storage|oauth|http|mcp|a2a|openapi|skills|memory|fleet|pg-boss|restate|ai-sdk|live|sandbox|server|telemetry|workspace|tool-search|guards|schedules|channels)/';
/** `@adorn/core`, and its entries for backends, the compiler and dialects. */
const ENTRIES_OF_CORE = `${CORE}/(index|backend|compiler|dialects)\\.ts$`;
const folder = (names) => `${CORE}/(${names.join('|')})/`;
const packages = readdirSync(join(__dirname, 'packages')).filter(
  (name) => existsSync(join(__dirname, 'packages', name, 'package.json')) && !UNBOUND.includes(name),
);

module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'Two files may know each other by type: `import type` leaves nothing to load.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...LEVELS.flatMap(rulesOfLevel),
    {
      name: 'core-has-no-other-folder',
      comment: 'Every folder of core stands on a level; a new one is added to LEVELS here.',
      severity: 'error',
      from: {},
      to: { path: `${CORE}/`, pathNot: [folder(LEVELS.flat()), ENTRIES_OF_CORE] },
    },
    {
      name: 'not-through-the-index',
      comment: 'Inside a package, a file imports its neighbour, not a public entry.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/', pathNot: SPEC },
      to: { path: '^packages/$1/src/(index|backend|compiler|dialects)\\.ts$' },
    },
    {
      name: 'metadata-is-read-in-one-folder',
      severity: 'error',
      from: {
        path: '^packages/[^/]+/src/',
        pathNot: [SPEC, '^packages/(core|schema)/src/metadata/', '^packages/(conformance|chaos|benchmarks)/'],
      },
      to: { path: 'node_modules/reflect-metadata/' },
    },
    {
      name: 'loaded-on-first-use',
      comment: 'Costs every user its loading time unless it is imported by `await import(…)` (or as a type).',
      severity: 'error',
      from: {
        path: '^packages/(schema|core|gemini|offline|plugins|policies|compaction|live|adorn)/src/',
        pathNot: SPEC,
      },
      to: {
        path: 'node_modules/(@google/genai|ajv|ajv-formats|class-transformer|class-validator)/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    ...packages.map(arrowsOf),
    {
      name: 'conformance-is-below-chaos-and-benchmarks',
      severity: 'error',
      from: { path: '^packages/conformance/' },
      to: { path: '^packages/(chaos|benchmarks)/' },
    },
    {
      name: 'chaos-is-below-benchmarks',
      severity: 'error',
      from: { path: '^packages/chaos/' },
      to: { path: '^packages/benchmarks/' },
    },
    {
      name: 'samples-import-what-users-import',
      severity: 'error',
      from: { path: '^samples/([^/]+)/', pathNot: SPEC },
      to: { path: '^(packages|samples)/', pathNot: [SAMPLES_MAY_IMPORT, '^samples/$1/'] },
    },
    {
      name: 'nothing-imports-samples',
      severity: 'error',
      from: { path: '^packages/', pathNot: SPEC },
      to: { path: '^samples/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(packages|samples)/[^/]+/(?!src/)[^/]+/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: join(__dirname, 'scripts/tsconfig.sources.json') },
    enhancedResolveOptions: { conditionNames: ['types', 'import', 'default'], exportsFields: ['exports'] },
  },
};

function rulesOfLevel(level, index) {
  const higher = LEVELS.slice(index + 1).flat();
  const upward = {
    name: `core-level-${index}-not-upward`,
    severity: 'error',
    from: { path: folder(level), pathNot: SPEC },
    to: { path: folder(higher) },
  };
  const sideways = level.map((name) => ({
    name: `core-${name}-knows-no-neighbour`,
    severity: 'error',
    from: { path: folder([name]), pathNot: SPEC },
    to: { path: folder(level), pathNot: folder([name]) },
  }));
  return higher.length > 0 ? [upward, ...sideways] : sideways;
}

function arrowsOf(name) {
  const allowed = [name, ...(ARROWS[name] ?? ['core'])];
  return {
    name: `arrows-of-${name}`,
    severity: 'error',
    from: { path: `^packages/${name}/src/`, pathNot: SPEC },
    to: { path: '^packages/', pathNot: `^packages/(${allowed.join('|')})/` },
  };
}
