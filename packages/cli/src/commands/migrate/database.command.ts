import { defineCommand } from '../../command/declaration.js';
import { flag, required } from '../../command/parameter.js';
import { json } from '../../command/shared-parameters.js';
import { CommandFailedError } from '../../command-failed.error.js';
import { isMissingStore } from '../../files/missing-store.js';
import { printJson } from '../../terminal/print.js';
import { WorkInProgress } from '../../terminal/work-in-progress.js';

/** `adorn migrate database`: creates the tables of a database or brings them up to date. */
export const databaseCommand = defineCommand({
  name: 'database',
  summary: 'create the tables of a database or bring them up to date; forward only, all steps or none',
  arguments: {
    url: required('<url>', 'a SQLite file, or postgres://user@host/database', { completes: 'files' }),
  },
  options: {
    check: flag('change nothing, and fail if a migration is due; for continuous integration'),
    json: json('print the migrations that were done as JSON'),
  },
  notes: `
An application migrates when it starts, unless it sets \`migrate: false\`. Two that start together wait for one another.`,
  exitCodes: { 1: 'the database cannot be opened, or with --check: a migration is due' },
  elsewhere: { 'source-db-url': 'the URL of the database as the argument', 'dry-run': '--check' },
  examples: ['adorn migrate database support.db', 'adorn migrate "$DATABASE_URL" --check'],
  async run({ url, check, json: isJson }, { output, errors }) {
    // Storage is loaded only here: it brings the drivers of databases.
    const { Database } = await import('@adorn/storage');
    using working = new WorkInProgress(errors, !isJson);
    const onMigration = (name: string, due: readonly string[]): void => {
      working.on(`Migrating ${String(due.indexOf(name) + 1)} of ${String(due.length)}: ${name}`);
    };
    const database = new Database(url, { migrate: !check, onMigration });
    if (check && isMissingStore(database))
      throw new CommandFailedError(`There is no ${database.place} yet. Create it: adorn migrate ${url}`);
    try {
      working.on(`Opening ${database.place}`);
      const done = await database.open();
      working.done();
      if (isJson) {
        printJson(output, { store: database.place, done });
        return;
      }
      for (const name of done) output.write(`${name} done\n`);
      output.write(`${database.place} is up to date.\n`);
    } finally {
      await database.close();
    }
  },
});
