// Everything that CI runs, with the time of each step. A step that fails says what to do, and the rest still run.
//   npm run check                        all steps
//   npm run check -- --no-tests          all but the tests
//   npm run check -- --only lint,docs    these steps
//   npm run check -- --only first-hour   what only runs when it is named: it installs from the npm registry
//   npm run check -- --only templates    the same with each template, without a network
import { spawn } from 'node:child_process';

import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { requireNode } from './setup/node-version.mjs';
import { movesToOwnNode } from './setup/own-node.mjs';
import { since } from './setup/seconds.mjs';
import { ROOT } from './setup/workspace.mjs';

const LIMIT_MS = 19 * 60_000;
/** The types of all packages at once need more than the 4 GB that Node gives by itself. */
const ESLINT_HEAP = '--max-old-space-size=8192';
const CACHED = ['--cache', '--cache-location', 'node_modules/.cache/eslint/'];

/**
 * `built` steps look at what the build wrote; `live` ones print as they go; the last line of `noted` ones is shown;
 * `named` ones run only where `--only` names them; the steps after a `beside` one do not wait for it.
 */
const STEPS = [
  {
    name: 'types',
    commands: [['scripts/build.mjs', '--specs']],
    cure: 'Mend what is said above; `npm run build` builds without the specs.',
  },
  {
    name: 'lint',
    beside: true,
    commands: [
      [
        ESLINT_HEAP,
        'node_modules/eslint/bin/eslint.js',
        '--config',
        'scripts/eslint.config.js',
        ...CACHED,
        '.',
      ],
      ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
    ],
    cure: '`npm run format` mends the layout and what ESLint can mend by itself; the rest is yours.',
  },
  {
    name: 'spelling',
    beside: true,
    noted: true,
    commands: [['scripts/checks/spelling.mjs']],
    cure: 'Mend the word, or add it to scripts/checks/spelling/words.txt if it is a term that readers know.',
  },
  {
    name: 'architecture',
    noted: true,
    commands: [['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'packages', 'samples']],
    cure: 'An import goes where it must not: move the code, or the rule in .dependency-cruiser.cjs by a decision.',
  },
  {
    name: 'tests',
    commands: [
      ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'],
    ],
    cure: '`npm test -- <path>` runs one file.',
    built: true,
    live: true,
  },
  {
    name: 'surface',
    noted: true,
    commands: [['scripts/surface.mjs']],
    cure: 'Undo the change, or accept it by `npm run surface -- --update` and review the report like code.',
    built: true,
  },
  {
    name: 'docs',
    noted: true,
    commands: [['scripts/checks/docs.mjs']],
    cure: 'Mend the page, or the code it describes.',
    built: true,
  },
  {
    name: 'samples',
    noted: true,
    commands: [['scripts/checks/samples.mjs']],
    cure: 'A sample must run without a key, from its build.',
    built: true,
  },
  {
    name: 'tools',
    noted: true,
    commands: [['scripts/checks/tools.mjs']],
    cure: 'Mend the tool, or silence the rule before it, with the reason: `adorn check --rules` lists them.',
    built: true,
  },
  {
    name: 'packages',
    noted: true,
    commands: [['scripts/checks/packages.mjs']],
    cure: 'What is packed must work for its users; publint and attw explain their findings.',
    built: true,
  },
  {
    name: 'first-hour',
    commands: [['scripts/checks/first-hour.mjs']],
    cure: 'Every command of packages/docs/first-program.md must work as the page says.',
    built: true,
    live: true,
    named: true,
  },
  {
    name: 'templates',
    commands: [['scripts/checks/first-hour.mjs', '--offline', 'minimal', 'service', 'agents']],
    cure: 'Each template of packages/cli/templates must install, start and pass its tests.',
    built: true,
    live: true,
    named: true,
  },
];

process.chdir(ROOT);
const failed = [];
if (!movesToOwnNode()) await check();

async function check() {
  requireNode();
  const steps = stepsOf(process.argv.slice(2));
  const started = performance.now();
  ensureInstalled();
  if (steps[0].name !== 'types' && steps.some(({ built }) => built)) ensureBuilt('sources');
  const beside = [];
  for (const step of steps) {
    const done = succeeds(step).then((isWell) => isWell || failed.push(step.name));
    if (step.beside) beside.push(done);
    else await done;
  }
  await Promise.all(beside);
  const outcome = failed.length === 0 ? 'all is well' : `failed: ${failed.join(', ')}`;
  console.log(`${String(steps.length)} steps in ${since(started)}; ${outcome}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function stepsOf(args) {
  const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '').split(',') : undefined;
  const unknown = only?.filter((name) => !STEPS.some((step) => step.name === name)) ?? [];
  const strange = args.filter((arg) => arg.startsWith('--') && !['--only', '--no-tests'].includes(arg));
  if (unknown.length > 0 || strange.length > 0) {
    console.error(
      `There is no ${[...strange, ...unknown].join(', ')}. Steps: ${STEPS.map(({ name }) => name).join(', ')}.`,
    );
    process.exit(2);
  }
  if (only !== undefined) return STEPS.filter(({ name }) => only.includes(name));
  const usual = STEPS.filter(({ named }) => named !== true);
  return args.includes('--no-tests') ? usual.filter(({ name }) => name !== 'tests') : usual;
}

async function succeeds(step) {
  const before = performance.now();
  if (step.built && failed.includes('types')) {
    console.log(`FAILED  ${step.name.padEnd(12)} not run, because the build failed`);
    return false;
  }
  const results = await Promise.all(step.commands.map((command) => run(command, step.live)));
  const faults = results.filter(({ code }) => code !== 0);
  const note = step.noted ? results.at(-1).output.trim().split('\n').at(-1) : '';
  if (faults.length === 0) {
    console.log(`ok      ${step.name.padEnd(12)} ${since(before).padStart(7)}  ${note}`.trimEnd());
    return true;
  }
  for (const { output } of faults) process.stdout.write(output);
  console.log(`FAILED  ${step.name.padEnd(12)} ${since(before).padStart(7)}  ${step.cure}`);
  return false;
}

/** Keeps the output for later, so that a step which is well takes one line. */
function run(args, live) {
  return new Promise((resolve) => {
    const stdio = live ? 'inherit' : ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, args, { stdio, timeout: LIMIT_MS, killSignal: 'SIGKILL' });
    const errors = [];
    const output = [];
    child.stderr?.on('data', (chunk) => errors.push(chunk));
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.on('close', (code, signal) => {
      if (signal !== null)
        errors.push(Buffer.from(`Ended by ${signal} after ${since(performance.now() - LIMIT_MS)}.\n`));
      resolve({ code: code ?? 1, output: Buffer.concat([...errors, ...output]).toString() });
    });
  });
}
