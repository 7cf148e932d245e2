import type { Section } from '@adorn/conformance/check';
import { runCommand } from '@adorn/conformance/command-line/run-command';
import { isPassed, writeSection, writeTotals } from '@adorn/conformance/report';

import { type ChaosOptions, helpOf, parseOptions } from './options.js';
import { SUITES } from './suites.js';

const NAME_WIDTH = 34;

async function main({ suite, options }: ChaosOptions): Promise<void> {
  const sections: Section[] = [];
  for await (const section of suite.run(options)) {
    console.log(writeSection(section, NAME_WIDTH));
    sections.push(section);
  }
  console.log(`\n${writeTotals(sections)}`);
  if (!isPassed(sections)) process.exitCode = 1;
}

await runCommand({
  parse: (args) => parseOptions(args, SUITES),
  run: main,
  help: helpOf(SUITES),
  hint: '"npm run chaos -- --help" says what there is.',
  usageCode: 1,
});
