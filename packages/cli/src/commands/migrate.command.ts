import { Command } from 'commander';

interface MigrateOptions {
  readonly check?: boolean;
}

/** `adorn migrate`: creates the tables of a database or brings them up to date. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('create the tables of a database or bring them up to date; forward only, all steps or none')
    .argument('<url>', 'a SQLite file, or postgres://user@host/database')
    .option('--check', 'change nothing, and fail if a migration is due; for continuous integration')
    .addHelpText('after', AFTER)
    .action(migrate);
}

const AFTER = `
An application migrates when it starts, unless it sets \`migrate: false\`. Two that start together wait for
one another.

Examples:
  $ adorn migrate support.db
  $ adorn migrate "$DATABASE_URL" --check`;

/** Storage is loaded only here: it brings the drivers of databases. */
async function migrate(url: string, { check = false }: MigrateOptions): Promise<void> {
  const { Database } = await import('@adorn/storage');
  const database = new Database(url, { migrate: !check });
  try {
    const done = await database.open();
    for (const name of done) console.log(`${name} done`);
    console.log(`${database.place} is up to date.`);
  } finally {
    await database.close();
  }
}
