import { readFile } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { shownPath } from '@adorn/compiler/build';

import { type CommandContext, defineCommand } from '../../command/declaration.js';
import { FAILED } from '../../command/exit-codes.js';
import { flag, type Parameters, text, type ValuesOf } from '../../command/parameter.js';
import { json } from '../../command/shared-parameters.js';
import { CommandFailedError } from '../../command-failed.error.js';
import { writeWhole } from '../../files/write-whole.js';
import { changedManifests } from '../../migrate/manifests.js';
import { type CodeMigration, migrationJson, migrationLines } from '../../migrate/migration-lines.js';
import { requireCleanTree, sourcesIn } from '../../migrate/working-tree.js';
import { printJson, printLines } from '../../terminal/print.js';
import { WorkInProgress } from '../../terminal/work-in-progress.js';
import { UsageError } from '../../usage.error.js';

const FOLDER = text('[folder]', 'the folder of the sources', { fallback: '.', completes: 'files' });

const OPTIONS = {
  dryRun: flag('write nothing, and print the differences'),
  force: flag('also if there are changes that are not committed, or no git repository'),
  json: json('print what has changed, and what is left, as JSON'),
} satisfies Parameters;

/** `adorn migrate code`: writes programs with the names that Adorn has today. */
export const codeCommand = defineCommand({
  name: 'code',
  summary: 'give sources the names that this version of Adorn has: imports, their uses, and options',
  arguments: { folder: FOLDER },
  options: OPTIONS,
  notes: `
Install the new version first. Changed are names that are imported from Adorn and their uses; layout, comments and quotes stay. A name without a successor stays, too, and is listed with what to write. Read are the sources that git does not ignore. A file is written whole or not at all, and a second run changes nothing.`,
  exitCodes: { 1: 'names are left to change by hand, or a file could not be written' },
  elsewhere: { dry: '--dry-run', print: '--dry-run' },
  examples: ['adorn migrate code --dry-run', 'adorn migrate code packages/desk'],
  run: migrate,
});

async function migrate(
  { folder: given, dryRun, force, json: isJson }: ValuesOf<typeof OPTIONS> & { readonly folder: string },
  { output, errors }: CommandContext,
): Promise<void> {
  const folder = resolve(given);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`${given} is not a folder. Name the folder of the sources.`);
  if (!dryRun && !force) requireCleanTree(folder);
  // The compiler is loaded only here: it loads TypeScript, which takes about a second.
  const { migrateCode } = await import('@adorn/compiler');
  const sources = sourcesIn(folder);
  using working = new WorkInProgress(errors, !isJson);
  working.on(`Reading ${String(sources.length)} sources`);
  const files = migrateCode(sources);
  working.done();
  const manifests = changedManifests(files);
  if (!dryRun) for (const file of [...files, ...manifests]) await replace(file);
  const migration: CodeMigration = { folder, sources: sources.length, files, manifests, isDryRun: dryRun };
  if (isJson) printJson(output, migrationJson(migration));
  else printLines(output, migrationLines(migration));
  if (files.some(({ byHand }) => byHand.length > 0)) process.exitCode = FAILED;
}

/** A file, as it was read and as it will be. */
type ChangedText = Pick<CodeMigration['manifests'][number], 'path' | 'before' | 'after'>;

/** @throws {CommandFailedError} if the file has changed since it was read, or cannot be written */
async function replace({ path, before, after }: ChangedText): Promise<void> {
  if (before === after) return;
  if ((await readFile(path, 'utf8')) !== before)
    throw new CommandFailedError(
      `${shownPath(path)} was changed meanwhile, and is left as it is. Run the command again.`,
    );
  try {
    await writeWhole(path, [after]);
  } catch (error) {
    throw new CommandFailedError(
      `Cannot write ${shownPath(path)}: ${(error as Error).message}. It is as it was. Run the command again to change the rest.`,
      { cause: error },
    );
  }
}
