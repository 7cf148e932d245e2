import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { since } from '../setup/seconds.mjs';
import { listFiles, ROOT } from '../setup/workspace.mjs';

const LIMIT_MS = 60_000;
const TERMINAL = /^```console of=(\S+)\n([\s\S]*?)^```/gm;
const COMMAND = /^\$ node (.+)$/;

/**
 * Every terminal of a page (a fence of `console of=samples/…`) is typed into a shell again, in an empty folder, and must
 * print what stands there. Its commands name compiled files of that workspace: `$ node build/services.js`. Every file of
 * `samples/guides` is on a page: run, shown or linked.
 */
export async function checkOutputs(pages, env) {
  const terminals = pages.flatMap(terminalsOf);
  const faults = unshownFiles(pages, terminals);
  for (const terminal of terminals) {
    const started = performance.now();
    const fault = await faultOf(terminal, env);
    console.error(`${fault === undefined ? 'ok    ' : 'FAILED'} ${terminal.place} (${since(started)})`);
    if (fault !== undefined) faults.push(fault);
  }
  return { count: terminals.length, faults };
}

function terminalsOf(page) {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(TERMINAL)].map(({ 1: folder, 2: session, index }) => ({
    place: `${page}:${String(text.slice(0, index).split('\n').length)}`,
    folder,
    commands: session.split('\n').flatMap((line) => COMMAND.exec(line)?.[1] ?? []),
    session,
  }));
}

function unshownFiles(pages, terminals) {
  const texts = pages.map((page) => readFileSync(page, 'utf8'));
  const run = new Set(
    terminals.flatMap(({ folder, commands }) => commands.map((command) => `${folder}/${programOf(command)}`)),
  );
  return listFiles('samples/guides/src')
    .filter((path) => !run.has(path.replace('/src/', '/build/').replace(/\.ts$/, '.js')))
    .filter((path) => !texts.some((text) => text.includes(path)))
    .map(
      (path) =>
        `${path} is on no page: run it in a fence of \`console of=samples/guides\`, show it, or link to it.`,
    );
}

function programOf(command) {
  return command.split(' ').find((word) => word.endsWith('.js'));
}

async function faultOf({ place, folder, commands, session }, env) {
  const cwd = mkdtempSync(join(tmpdir(), 'adorn-terminal-'));
  try {
    let typed = '';
    const PORT = String(await freePort());
    for (const command of commands) {
      const words = command.split(' ').map((word) => compiledFile(folder, word));
      typed += `$ node ${command}\n${await outputOf(words, { cwd, env: { ...env, PORT } })}`;
    }
    if (typed === session) return undefined;
    return `${place}: the programs print something else:\n${typed}`;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** For a program that listens: the port that a page names may be in use. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

function compiledFile(folder, word) {
  const path = `${ROOT}${folder}/${word}`;
  return word.startsWith('build/') && existsSync(path) ? path : word;
}

/** Both streams in the order of their arrival, and how the program ended if not with 0. */
function outputOf(args, options) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    child.on('close', (code, signal) => {
      resolve(code === 0 ? output : `${output}(exit code ${String(code ?? signal)})\n`);
    });
  });
}
