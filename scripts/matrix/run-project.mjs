import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { outcomeIn } from './outcome.mjs';

const PROGRAM = fileURLToPath(new URL('program/', import.meta.url));
const LIMIT_MS = 120_000;

/**
 * One command of a cell: a program of the installed tools, or `node`, with its arguments.
 *
 * @typedef {string[]} Command
 * @typedef {{ name: string, before?: Command[], run: Command, env?: object, skip?: string,
 *   expects: import('./outcome.mjs').Expectation }} Cell
 * @typedef {{ name: string, tools: string, alsoNeeds?: string[], files?: Record<string, string | object>,
 *   program?: (file: string, text: string) => [path: string, text: string], cells: Cell[] }} Project
 */

/** Lays a project out: the program where the project has it, and the project's own files over it. */
export function layOut(folder, { program = belowSrc, files = {} }) {
  for (const file of readdirSync(PROGRAM)) {
    const [path, text] = program(file, readFileSync(join(PROGRAM, file), 'utf8'));
    write(join(folder, path), text);
  }
  for (const [path, content] of Object.entries({ 'package.json': { type: 'module' }, ...files }))
    write(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
}

function belowSrc(file, text) {
  return [`src/${file}`, text];
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Runs a cell's commands in its project. The last one is what its expectation judges. */
export async function runCell(folder, tools, { before = [], run, env = {}, expects }) {
  for (const command of before) {
    const { code, output } = await execute(folder, tools, command, {});
    if (code !== 0) return `\`${command.join(' ')}\` ended with ${String(code)}:\n${output}`;
  }
  const { code, output } = await execute(folder, tools, run, env);
  return expects.judge({ code, output, outcome: outcomeIn(output), folder });
}

function execute(folder, tools, [command, ...args], env) {
  return new Promise((resolve) => {
    const child = spawn(...launched(join(tools, 'node_modules'), command, args), {
      cwd: folder,
      env: {
        ...userEnvironment(),
        PATH: `${join(tools, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('close', (code, signal) => {
      if (signal !== null)
        chunks.push(Buffer.from(`\nEnded by ${signal}; it has ${String(LIMIT_MS / 1000)} s.`));
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() });
    });
  });
}

/** A tool is started by the script that its package names, which needs no shell anywhere; Bun is an executable. */
function launched(modules, command, args) {
  if (command === 'node') return [process.execPath, args];
  if (command === 'bun') return [join(modules, bunPackage(), 'bin/bun'), args];
  const { owner = command, bin = command } = BINARIES[command] ?? {};
  const manifest = JSON.parse(readFileSync(join(modules, owner, 'package.json'), 'utf8'));
  const script = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin];
  return [process.execPath, [join(modules, owner, script), ...args]];
}

/** The package of Bun that holds its executable: the script that copies it into `bun` is not run here. */
function bunPackage() {
  return `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
}

const BINARIES = {
  adorn: { owner: '@adorn/cli' },
  swc: { owner: '@swc/cli' },
  tsc: { owner: 'typescript' },
  webpack: { owner: 'webpack-cli', bin: 'webpack-cli' },
};

/** Without what the surrounding npm and test runner say to their own. */
export function userEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_OPTIONS$|NODE_ENV$|JEST_|CI$|VITEST)/i.test(name),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}
