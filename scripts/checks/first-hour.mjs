// The first hour of a new user, from an empty folder and without a key: our packed packages in a registry on loopback,
// all others from npm's. Prints each command with its seconds.
//   node scripts/checks/first-hour.mjs service              another template
//   node scripts/checks/first-hour.mjs --offline minimal service agents
//                                                           without npm's registry: all others as they are installed here
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startRegistry } from '../packed/registry.mjs';
import { packInto } from '../packed/tarballs.mjs';
import { since } from '../setup/seconds.mjs';
import { listWorkspaces, ROOT } from '../setup/workspace.mjs';

const LIMIT_MS = 5 * 60_000;
const SECRET = /(API_KEY|TOKEN|CREDENTIALS|SECRET)$|^(GOOGLE|GEMINI|OPENAI|ANTHROPIC)_/;
const NOT_INHERITED = /^(npm_(?!config_cache)|NODE_ENV$|NODE_OPTIONS$)/i;
const OFFLINE = /^Model: offline/m;

/** A question that each template's agent answers, and a word of the answer. */
const TEMPLATES = {
  minimal: { answer: /^roll: \d+\.$/m },
  service: { answer: /^cancel_booking: B-17\.$/m, typed: 'y\n' },
  agents: { answer: /^track_order: .*on its way\.$/m },
};

process.chdir(ROOT);
const args = process.argv.slice(2);
const isOffline = args.includes('--offline');
const named = args.filter((arg) => arg !== '--offline');
const templates = named.length > 0 ? named : ['minimal'];
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-first-hour-')));
const started = performance.now();
const failed = [];
let registry;
try {
  registry = await openRegistry();
  for (const template of templates) await playHour(template, `${folder}/${template}`);
} finally {
  registry?.close();
  rmSync(folder, { recursive: true, force: true });
}
const outcome = failed.length > 0 ? `; failed: ${failed.join(', ')}` : '';
console.log(`0 lines written by hand, ${since(started)} with packing${outcome}`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function openRegistry() {
  const packages = listWorkspaces().filter(({ published }) => published);
  packInto(folder, packages);
  if (isOffline) return startRegistry({ folder, packages });
  const upstream = (await run('npm config get registry', ROOT)).output.trim().split('\n').at(-1);
  return startRegistry({ folder, packages, upstream });
}

/** What the documents tell a new user to type, in this order. */
async function playHour(template, work) {
  const { answer, typed } = TEMPLATES[template];
  const app = `${work}/my-app`;
  mkdirSync(work);
  const option = template === 'minimal' ? '' : ` -- --template ${template}`;
  const isCreated = await step(`npm create adorn my-app${option}`, { cwd: work, expected: [/npm start/] });
  if (!isCreated) return;
  await step('npm start', { cwd: app, typed, expected: [OFFLINE, answer] });
  await step('npm test', { cwd: app, expected: [/^(# |ℹ )fail 0$/m] });
  await step('npm run build', { cwd: app, expected: [/tool/] });
  const env = { NODE_ENV: 'production', ADORN_MODEL: 'offline' };
  await step('node build/main.js', { cwd: app, env, typed, expected: [OFFLINE, answer] });
  await step('npx adorn check', { cwd: app, expected: [/0 errors/] });
}

async function step(command, { expected, env = {}, ...options }) {
  const before = performance.now();
  const { output, code } = await run(command, options.cwd, { env, typed: options.typed });
  const isWell = code === 0 && expected.every((pattern) => pattern.test(output));
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value} `);
  const shown = assignments.join('') + command;
  console.error(`${isWell ? 'ok    ' : 'FAILED'} ${since(before).padStart(7)}  ${shown}`);
  if (isWell) return true;
  failed.push(shown);
  console.error(`${output}\nexit code ${String(code)}; expected ${expected.join(' and ')}`);
  return false;
}

/** Not spawnSync: the registry answers in this process. */
function run(command, cwd, { env = {}, typed = '' } = {}) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !SECRET.test(name) && !NOT_INHERITED.test(name),
  );
  const npmConfig = registry && {
    npm_config_registry: registry.url,
    npm_config_cache: `${folder}/npm-cache`,
  };
  return new Promise((resolve) => {
    const child = spawn(command, {
      cwd,
      env: { ...Object.fromEntries(inherited), npm_config_yes: 'true', ...npmConfig, ...env },
      shell: true,
      timeout: LIMIT_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    child.on('close', (code, signal) => resolve({ output, code: code ?? signal }));
    child.stdin.on('error', () => undefined).end(typed);
  });
}
