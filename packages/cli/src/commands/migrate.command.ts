import { defineGroup } from '../command/declaration.js';
import { codeCommand } from './migrate/code.command.js';
import { databaseCommand } from './migrate/database.command.js';

/** `adorn migrate`: brings a database, or the sources of a program, to this version. */
export const migrateCommand = defineGroup({
  name: 'migrate',
  summary: 'bring a database or the sources of a program to this version of Adorn',
  commands: [databaseCommand, codeCommand],
  byDefault: 'database',
});
