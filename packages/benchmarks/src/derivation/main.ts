import { runCommand } from '@adorn/conformance/command-line/run-command';

import { formatNumber, formatTable } from '../overhead/report/format.js';
import { median } from '../overhead/statistics.js';
import { HELP } from './help.js';
import { measureProject, type ProjectFigures } from './measure-project.js';
import { type DerivationOptions, parseOptions } from './options.js';

/** The most that the derivation of a thousand tools may take. */
const GOALS = { tools: 1000, coldCpuMs: 5000, warmMs: 100 };

async function main({ sizes, rounds }: DerivationOptions): Promise<void> {
  const found: ProjectFigures[] = [];
  for (const size of sizes) {
    console.error(`${String(size)} tools, ${String(rounds)} rounds`);
    found.push(await measureProject(size, rounds));
  }
  console.log(writeReport(found));
  if (found.some(({ modules }) => modules.some(isOfCompiler))) process.exitCode = 1;
}

function writeReport(found: readonly ProjectFigures[]): string {
  const rows = found.map((figures) => [
    String(figures.tools),
    ...[figures.built, figures.warm, figures.cold, figures.touched].flatMap(({ wallMs, cpuMs }) => [
      formatNumber(median(wallMs)),
      formatNumber(median(cpuMs)),
    ]),
  ]);
  const head = ['tools', 'built ms', 'CPU', 'warm ms', 'CPU', 'cold ms', 'CPU', 'one touched ms', 'CPU'];
  return [
    'createRunner in a fresh process, in milliseconds; CPU is that of all its threads and of the compiler.',
    formatTable(head, rows),
    ...found.map(writeModules),
    ...found.filter(({ tools }) => tools === GOALS.tools).flatMap(writeVerdicts),
  ].join('\n\n');
}

function writeModules({ tools, modules }: ProjectFigures): string {
  const ofCompiler = modules.filter(isOfCompiler);
  const which =
    ofCompiler.length === 0 ? 'none of the compiler' : `of the compiler: ${ofCompiler.join(', ')}`;
  return `${String(tools)} tools, cold: ${String(modules.length)} modules in the user's process, ${which}.`;
}

/** TypeScript and what extracts schemas belong to the compiler's own process; its entry `on-demand` to the user's. */
function isOfCompiler(module: string): boolean {
  return /\/node_modules\/typescript|\/compiler\/(?:dist|build)\/(?:derive|index)\.js/.test(module);
}

function writeVerdicts({ cold, warm, built }: ProjectFigures): string[] {
  const derivation = (median(warm.wallMs) ?? Number.NaN) - (median(built.wallMs) ?? Number.NaN);
  return [
    verdict('cold CPU', median(cold.cpuMs) ?? Number.NaN, GOALS.coldCpuMs),
    verdict('warm less built', derivation, GOALS.warmMs),
  ];
}

function verdict(what: string, found: number, limit: number): string {
  return `${what}: ${formatNumber(found)} ms of at most ${formatNumber(limit)}: ${found <= limit ? 'met' : 'MISSED'}`;
}

await runCommand({
  parse: parseOptions,
  run: main,
  help: HELP,
  hint: '"npm run bench -- --help" lists every flag.',
  usageCode: 2,
});
