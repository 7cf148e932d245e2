import type { ArtifactService } from '../stores/artifacts/artifact.service.js';
import { AdornError } from '@adorn/schema';
import { isSession, type SessionExists } from '../events/session.js';
import type { InvocationServices } from '../run/invocation-services.js';
import type { MemoryService } from '../stores/memory/memory.service.js';
import type { DeletedSession, SessionService } from '../stores/sessions/session.service.js';

/** The services that hold data of sessions. */
type SessionData = Pick<InvocationServices, 'sessions' | 'artifacts' | 'memory' | 'logger'>;

/**
 * Ties files and memories to the sessions of a runner: a file of a session is saved only while the session exists, and a
 * deleted session takes its files and memories along.
 *
 * @returns a function that ends this
 */
export function tieToSessions({ sessions, artifacts, memory, logger }: SessionData): () => void {
  const files = artifacts as MayLack<ArtifactService, 'useSessions' | 'deleteSession'>;
  const exists: SessionExists = async (key) => {
    const found = await sessions.getSession(key, { numRecentEvents: 0 });
    return found !== undefined && isSession(found, key);
  };
  files.useSessions?.(exists);
  (memory as MayLack<MemoryService, 'useSessions'>).useSessions?.(exists);
  const untie = (sessions as MayLack<SessionService, 'onDelete'>).onDelete?.(async (deleted) => {
    await files.deleteSession?.(deleted);
    await deleteMemories(deleted, { memory, logger });
  });
  return untie ?? noop;
}

/** A service that an older copy of this package has built lacks the methods of later versions. */
type MayLack<Service, Name extends keyof Service> = Partial<Pick<Service, Name>>;

function noop(): void {
  // Nothing was tied.
}

async function deleteMemories(
  deleted: DeletedSession,
  { memory, logger }: Pick<SessionData, 'memory' | 'logger'>,
): Promise<void> {
  try {
    await (memory as MayLack<MemoryService, 'deleteSession'>).deleteSession?.(deleted);
  } catch (error) {
    if (!AdornError.is(error) || error.code !== 'NOT_SUPPORTED') throw error;
    const { userId, sessionId } = deleted;
    logger.warn('the memories of a deleted session stay: the memory service cannot delete them', {
      userId,
      sessionId,
      error,
    });
  }
}
