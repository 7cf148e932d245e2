import type { SessionKey } from '@adorn/core';

import type { Queries } from '../database/database.js';
import { deleteVersions, folderOfSession } from './artifact-rows.js';

/**
 * Deletes the artifacts of a session, and none of its user's, within a transaction.
 *
 * @returns the content they referred to: after the transaction, give it to `SqlArtifactService.release`
 */
export function deleteArtifactsOf(queries: Queries, session: SessionKey): Promise<string[]> {
  return deleteVersions(queries, { folder: folderOfSession(session) });
}
