import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readInitialOptions } from 'jest-config';

import { npm } from '../setup/install.mjs';
import { since } from '../setup/seconds.mjs';
import { readJson } from '../setup/workspace.mjs';

/** Stryker is installed here at its first use: it is no dependency of the repository. */
const FOLDER = '.work/stryker';

/** Newer ones need Node 22. */
const VERSIONS = { '@stryker-mutator/core': '9.6.1', '@stryker-mutator/jest-runner': '9.6.1' };

/** Installs Stryker where it is not yet, or ends the process with npm's own words. */
export function ensureStryker() {
  const isThere = Object.entries(VERSIONS).every(([name, version]) => {
    const manifest = `${FOLDER}/node_modules/${name}/package.json`;
    return existsSync(manifest) && readJson(manifest).version === version;
  });
  if (isThere) return;
  console.error(`Installing Stryker ${VERSIONS['@stryker-mutator/core']} into ${FOLDER}…`);
  const started = performance.now();
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    `${FOLDER}/package.json`,
    JSON.stringify({ name: 'stryker', private: true, dependencies: VERSIONS }),
  );
  const { status, stderr } = npm(['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER });
  if (status === 0) return console.error(`Installed in ${since(started)}.`);
  console.error(`${stderr ?? ''}Stryker could not be installed; it needs the network once.`);
  process.exit(1);
}

/**
 * Tries the mutants of the files and gives Stryker's report, which is also kept as JSON.
 *
 * @param {{ name: string, specs: string[], mutate: string[], every: number, part: number }} run
 * @returns {{ path: string, report: object } | undefined} nothing where Stryker failed; it has said why
 */
export async function runStryker(run) {
  const path = `${FOLDER}/${run.name}.json`;
  const settings = `${FOLDER}/${run.name}.config.json`;
  writeFileSync(settings, JSON.stringify(await settingsOf(run, path), undefined, 2));
  const child = spawn(
    process.execPath,
    [`${FOLDER}/node_modules/@stryker-mutator/core/bin/stryker.js`, 'run', settings],
    { stdio: 'inherit', env: { ...process.env, ...environmentOf(run) } },
  );
  const status = await new Promise((resolve) => child.on('exit', resolve));
  return status === 0 ? { path, report: readJson(path) } : undefined;
}

async function settingsOf({ specs, mutate, every }, path) {
  const { config } = await readInitialOptions('jest.config.ts');
  const plugins = join(process.cwd(), 'scripts/mutation');
  const jest = join(plugins, 'jest');
  return {
    mutate,
    testRunner: 'jest',
    testRunnerNodeArgs: [
      '--max-semi-space-size=64',
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
    ],
    jest: {
      enableFindRelatedTests: false,
      config: {
        roots: rootsOf(specs),
        testMatch: specs.map((glob) => (glob.startsWith('!') ? glob : `<rootDir>/${glob}`)),
        testEnvironment: `${jest}/environment.cjs`,
        runner: `${jest}/runner.cjs`,
        // A sandbox has no samples whose schemas could be derived before the specs.
        globalSetup: null,
        moduleNameMapper: {
          ...config.moduleNameMapper,
          '^fast-check$': `${jest}/lent-fast-check.cjs`,
        },
        // A test that a mutant keeps from ending has noticed it.
        testTimeout: 15_000,
        watchman: false,
      },
    },
    coverageAnalysis: 'perTest',
    disableTypeChecks: false,
    plugins: [
      '@stryker-mutator/jest-runner',
      join(plugins, 'sample.checker.mjs'),
      join(plugins, 'option-names.ignorer.mjs'),
    ],
    ignorers: ['option-names'],
    checkers: every === 1 ? [] : ['sample'],
    concurrency: 1,
    // Node keeps some of what each sandbox has loaded; a process that tests for long fills the memory.
    maxTestRunnerReuse: 80,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: path },
    // The executor of QuickJS starts its worker from the build.
    ignorePatterns: ['.work', 'packages/!(sandbox)/dist', 'packages/*/build', 'samples'],
    tempDirName: `${FOLDER}/sandboxes`,
    allowConsoleColors: false,
    warnings: { slow: false },
    // On top of one and a half times the tests without a mutant. A run that takes longer counts as killed, so a busy
    // machine must get through all specs in it; only a loop that never ends takes the whole of it.
    timeoutMS: 60_000,
    dryRunTimeoutMinutes: 30,
  };
}

/** The sources of the packages whose specs run. */
function rootsOf(specs) {
  const packages = specs.filter((glob) => !glob.startsWith('!')).map((glob) => glob.split('/src/')[0]);
  return [...new Set(packages)].map((name) => `<rootDir>/${name}/src`);
}

function environmentOf({ name, every, part }) {
  return {
    ADORN_MUTATION_EVERY: String(every),
    ADORN_MUTATION_PART: String(part),
    ADORN_MUTATION_STRYKER: join(process.cwd(), FOLDER),
    ADORN_MUTATION_COVERAGE: join(process.cwd(), FOLDER, `${name}.coverage.json`),
  };
}
