import type { Database } from '../database/database.js';
import type { ContentStore } from './content-store.js';
import { DatabaseContentStore } from './database/database-content-store.js';
import { FileContentStore } from './files/file-content-store.js';

/** Where nothing is said: a folder beside SQLite's file, and the database itself where there is no file. */
export function contentsBeside(database: Database): ContentStore {
  const { flavour, place } = database;
  if (flavour === 'postgres' || place === ':memory:') return new DatabaseContentStore(database);
  return new FileContentStore(`${place}-artifacts`);
}
