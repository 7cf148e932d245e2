import { fileURLToPath } from 'node:url';

import { runCommand } from './command-line/run-command.js';
import type { Section } from './check.js';
import { findFixtures } from './fixtures-folder.js';
import { type ConformanceOptions, helpOf, parseOptions } from './options.js';
import { isPassed, writeSection, writeTotals } from './report.js';
import type { Suite } from './suite.js';
import { SUITES } from './suites.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const NAME_WIDTH = 24;

async function main(options: ConformanceOptions): Promise<void> {
  const chosen = SUITES.filter(({ name }) => options.suites.length === 0 || options.suites.includes(name));
  const places = { flag: options.fixtures, environment: process.env['ADORN_FIXTURES'], root: ROOT };
  const folders = chosen.flatMap(({ folder }) => folder ?? []);
  const fixtures = folders.length === 0 ? '' : findFixtures(places, folders);
  const sections: Section[] = [];
  for (const suite of chosen) sections.push(...(await runSuite(suite, fixtures)));
  console.log(`\n${writeTotals(sections)}`);
  if (!isPassed(sections)) process.exitCode = 1;
}

async function runSuite(suite: Suite, fixtures: string): Promise<Section[]> {
  console.log(`\n${suite.name}: ${suite.summary}`);
  const sections: Section[] = [];
  for await (const section of suite.run(fixtures)) {
    console.log(writeSection(section, NAME_WIDTH));
    sections.push(section);
  }
  return sections;
}

await runCommand({
  parse: (args) =>
    parseOptions(
      args,
      SUITES.map(({ name }) => name),
    ),
  run: main,
  help: helpOf(SUITES),
  hint: '"npm run conformance -- --help" says what there is.',
  usageCode: 1,
});
