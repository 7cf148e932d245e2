/** @slow */

import { ConsoleLogger } from '@adorn/core';
import { HashEmbedder } from '@adorn/testing';
import { describeMemoryService } from '@adorn/testing/contracts';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { SqlMemoryService } from './sql-memory.service.js';

describeEachDatabase((name, open) => {
  describeMemoryService(`SqlMemoryService on ${name}`, async () => new SqlMemoryService(await open()));

  describeMemoryService(
    `SqlMemoryService with an embedder on ${name}`,
    async () =>
      new SqlMemoryService(await open(), { embedder: new HashEmbedder(), logger: new QuietLogger() }),
  );
});

/** PostgreSQL as it is tested here is without pgvector, and every service says so once. */
class QuietLogger extends ConsoleLogger {
  override warn(): void {
    // Looked at elsewhere.
  }
}
