// Runs in a thread of its own, so that it stays awake when a spec spins in the main thread. Where no test has finished
// for LIMIT, it names the files that were running, prints the closing line and kills the run with its workers.
import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { parentPort, workerData as runId } from 'node:worker_threads';

import { closingLine } from './closing-line.mjs';

// A long search of a property takes as long as it takes.
const isLongSearch = process.env['ADORN_PROPERTY_RUNS'] !== undefined;
const LIMIT_MS = Number(process.env['ADORN_SPEC_LIMIT_MS'] ?? (isLongSearch ? 3_600_000 : 180_000));

let latest = { running: [], counts: { passed: 0, failed: 0, skipped: 0 } };
let timer = setTimeout(endTheRun, LIMIT_MS);
parentPort.on('message', (message) => {
  latest = message;
  clearTimeout(timer);
  timer = setTimeout(endTheRun, LIMIT_MS);
});

function endTheRun() {
  const { running, counts } = latest;
  writeSync(2, `\nNo test has finished for ${String(LIMIT_MS / 1000)} s. Running: ${running.join(', ')}\n`);
  closingLine({ ...counts, failed: counts.failed + Math.max(1, running.length) });
  for (const id of descendantsOf(runId)) kill(id);
  kill(runId);
}

/** The workers of the run; without `ps` (on Windows) they end by themselves when the run is gone. */
function descendantsOf(ancestor) {
  const children = childrenByParent();
  const found = [];
  for (const waiting = [ancestor]; waiting.length > 0;) {
    const below = children.get(waiting.pop()) ?? [];
    found.push(...below);
    waiting.push(...below);
  }
  return found;
}

function childrenByParent() {
  const children = new Map();
  try {
    for (const line of execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .trim()
      .split('\n')) {
      const [id, parent] = line.trim().split(/\s+/).map(Number);
      children.set(parent, [...(children.get(parent) ?? []), id]);
    }
  } catch {
    return new Map();
  }
  return children;
}

function kill(id) {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}
