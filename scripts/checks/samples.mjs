// Every sample is started without a key, as its own `npm start` does, and must end well. A sample that talks with a person
// says in `demo.txt` what the person types; it is played with `--script`. The root's `npm start` is tried the same way,
// and the terminals that the documents show.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

import { since } from '../setup/seconds.mjs';
import { listPages, listWorkspaces, readJson, ROOT } from '../setup/workspace.mjs';
import { checkOutputs } from './outputs.mjs';

const LIMIT_MS = 60_000;
const SECRET = /(API_KEY|TOKEN|CREDENTIALS|SECRET)$|^(GOOGLE|GEMINI|OPENAI|ANTHROPIC)_/;

process.chdir(ROOT);
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRET.test(name)));
const runs = [rootRun(), ...listWorkspaces().flatMap(sampleRun)];
let failed = 0;
for (const run of runs) {
  const started = performance.now();
  const fault = await faultOf(run);
  console.error(`${fault === undefined ? 'ok    ' : 'FAILED'} ${run.name} (${since(started)})`);
  if (fault === undefined) continue;
  failed += 1;
  console.error(fault);
}
const terminals = await checkOutputs(listPages(), env);
for (const fault of terminals.faults) console.error(fault);
failed += terminals.faults.length;
const counted = `${String(runs.length)} programs and ${String(terminals.count)} terminals run without a key`;
console.log(`${counted}${failed > 0 ? `, ${String(failed)} failed` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;

/** `npm start` of the root, but for the setup before it. */
function rootRun() {
  const { start } = readJson('package.json').scripts;
  const words = start.replace(/^node scripts\/with-setup\.mjs (--for \S+ )?/, '').split(' ');
  const demo = words[1].replace(/build\/.*$/, 'demo.txt');
  return {
    name: 'npm start',
    cwd: ROOT,
    args: [...argsOf(words), ...(existsSync(demo) ? ['--script', demo] : [])],
  };
}

function sampleRun({ folder, manifest }) {
  const start = manifest.scripts?.start;
  if (!folder.startsWith('samples/') || start === undefined) return [];
  const demo = existsSync(`${folder}/demo.txt`) ? ['--script', 'demo.txt'] : [];
  return [{ name: folder, cwd: `${ROOT}${folder}`, args: [...argsOf(start.split(' ')), ...demo] }];
}

/** What Node is given for a script that begins with `node` or with one of our own commands. */
function argsOf([command, ...rest]) {
  if (command === 'node') return rest;
  const owner = listWorkspaces().find(({ manifest }) => manifest.bin?.[command] !== undefined);
  if (owner === undefined) throw new Error(`No package of ours has the command ${command}.`);
  return [`${ROOT}${owner.folder}/${owner.manifest.bin[command]}`, ...rest];
}

/** Undefined where the program ends with 0; else its last words and how it ended. */
function faultOf({ cwd, args }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    child.on('close', (code, signal) => {
      const how =
        signal === null ? `exit code ${String(code)}` : `no end within ${String(LIMIT_MS / 1000)} s`;
      resolve(code === 0 ? undefined : `${output.slice(-4000)}\nnode ${args.join(' ')}: ${how}`);
    });
  });
}
