import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeEachDatabase, type OpenDatabase } from '../database/backends.fixture.js';
import type { Database } from '../database/database.js';
import type { ContentStore } from './content-store.js';
import { DatabaseContentStore } from './database/database-content-store.js';
import { FileContentStore } from './files/file-content-store.js';
import { emptyStore, useS3Server } from './s3/s3-server.fixture.js';
import { SqlArtifactService } from './sql-artifact.service.js';

/** A service that holds nothing, with the parts it is made of. */
export interface OpenedArtifacts {
  readonly artifacts: SqlArtifactService;
  readonly database: Database;
  readonly contents: ContentStore;
}

export type OpenArtifacts = () => Promise<OpenedArtifacts>;

/** Every database with every place that content may be kept in; S3 with one of them, for it takes its time. */
export function describeEachArtifactStore(suite: (name: string, open: OpenArtifacts) => void): void {
  describeEachDatabase((database, openDatabase) => {
    const s3 = useS3Server();
    const newFolder = useFolders();
    const stores: Readonly<Record<string, (opened: Database) => ContentStore>> = {
      'content in files': () => new FileContentStore(newFolder()),
      'content in the database': (opened) => new DatabaseContentStore(opened),
      ...(database === 'SQLite' && { 'content in S3': () => emptyStore(s3.options()) }),
    };
    describe.each(Object.entries(stores))('%s', (store, contentsOf) => {
      suite(`SqlArtifactService on ${database} with ${store}`, () => openWith(openDatabase, contentsOf));
    });
  });
}

/** Folders that are not there yet, and are gone in the end. */
export function useFolders(): () => string {
  const parent = mkdtempSync(join(tmpdir(), 'adorn-contents-'));
  afterAll(() => {
    rmSync(parent, { recursive: true });
  });
  let count = 0;
  return () => join(parent, String(count++));
}

async function openWith(
  openDatabase: OpenDatabase,
  contentsOf: (opened: Database) => ContentStore,
): Promise<OpenedArtifacts> {
  const database = await openDatabase();
  const contents = contentsOf(database);
  return { artifacts: new SqlArtifactService(database, contents), database, contents };
}
