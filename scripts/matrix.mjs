// The ways people run TypeScript: one small program, played in each from the packed packages, must do exactly the same
// everywhere, or be refused with the right error. `npm run matrix -- --help` says more.

import { closingLine } from './jest/closing-line.mjs';
import { parseOptions } from './matrix/options.mjs';
import { PROJECTS } from './matrix/projects.mjs';
import { layOut, runCell } from './matrix/run-project.mjs';
import { Workshop } from './matrix/workshop.mjs';
import { since } from './setup/seconds.mjs';
import { ROOT } from './setup/workspace.mjs';

const LANES = 2;
const WIDTH = 56;

process.chdir(ROOT);
const { only, keep } = parseOptions(process.argv.slice(2), PROJECTS);
const counts = { passed: 0, failed: 0, skipped: 0 };
const started = performance.now();
const workshop = new Workshop();
try {
  await workshop.equip([...new Set(only.flatMap(({ tools, alsoNeeds = [] }) => [tools, ...alsoNeeds]))]);
  await playAll([...only]);
} finally {
  if (keep) console.error(`The projects are kept in ${workshop.folder}`);
  else workshop.remove();
}
console.log(`\n${String(only.length)} projects in ${since(started)}`);
closingLine(counts);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;

/** Two projects at a time; the cells of a project one after the other, as each goes on where the last one ended. */
async function playAll(waiting) {
  const lane = async () => {
    for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) await play(project);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

async function play(project) {
  const folder = workshop.place(project);
  layOut(folder, project);
  for (const cell of project.cells) await playCell(project, cell, folder);
}

async function playCell(project, cell, folder) {
  const name = `${project.name}: ${cell.name}`;
  if (cell.skip !== undefined) {
    counts.skipped += 1;
    return console.log(`skipped ${name.padEnd(WIDTH)} ${cell.skip}`);
  }
  const before = performance.now();
  const fault = await runCell(folder, workshop.toolsOf(project), cell);
  counts[fault === undefined ? 'passed' : 'failed'] += 1;
  const verdict = fault === undefined ? 'ok     ' : 'FAILED ';
  console.log(
    `${verdict} ${name.padEnd(WIDTH)} ${cell.expects.says.padEnd(20)} ${since(before).padStart(7)}`,
  );
  if (fault !== undefined) console.log(fault.replace(/^/gm, '        '));
}
