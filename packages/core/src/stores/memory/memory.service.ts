import type { Content } from '../../events/genai-types.js';
import type { Event } from '../../events/event.js';
import { exactKeyOf, keyOf, type Session, type SessionExists } from '../../events/session.js';
import { shareClass } from '../../metadata/shared-class.js';
import { NotSupportedError, SessionNotFoundError } from '../sessions/errors.js';
import type { DeletedSession, Page } from '../sessions/session.service.js';

/** The application and user that own memories. */
export interface MemoryScope {
  /** The application that owns the memories. */
  readonly appName: string;
  /** The user that owns the memories. */
  readonly userId: string;
}

/** A stored memory and its origin. */
export interface MemoryEntry {
  /** What is remembered: text, and files where the service supports them. */
  readonly content: Content;
  /** The agent's name, or `user`. Default: unknown. */
  readonly author?: string;
  /** Seconds since 1970, a float. */
  readonly timestamp?: number;
  /** The session that the memory is from. Default: none. */
  readonly sessionId?: string;
}

/** A memory with what names it. */
export interface StoredMemory extends MemoryEntry {
  /** Names it among the memories of its user. Opaque. */
  readonly id: string;
}

/** How many memories a search returns, and how similar they must be. */
export interface SearchMemoryOptions {
  /** The maximum number of memories to return. Default: 10. */
  readonly limit?: number;
  /**
   * The minimum cosine similarity, from -1 to 1, of memories found by embedding. Memories that share a word with the
   * query are always found. Default: the embedder's minimum; without an `Embedder`, only words are compared.
   */
  readonly minScore?: number;
}

/**
 * Stores memories of conversations, to be searched in later ones. Nothing is added automatically. Names of the scope and
 * event ids longer than `MAX_NAME_BYTES` are refused with `NAME_TOO_LONG`; nothing is added then.
 *
 * Its own container identifier: `bind(MemoryService).to(InMemoryMemoryService)`.
 * Every implementation passes `describeMemoryService` from `@adorn/testing/contracts`.
 */
export abstract class MemoryService {
  static {
    shareClass(this, 'MemoryService');
  }

  #exists: SessionExists | undefined;

  /**
   * Tells the service how to find out whether a session exists. A runner does so: from then on, a session that was deleted is
   * not added, by services that add within `ofSession`.
   */
  useSessions(exists: SessionExists): void {
    this.#exists = exists;
  }

  /**
   * Adds a session if it exists. If it was deleted meanwhile, its memories are deleted again.
   *
   * @throws {SessionNotFoundError}
   */
  protected async ofSession(session: Session, add: () => Promise<void>): Promise<void> {
    const key = exactKeyOf(session);
    const exists = this.#exists;
    if (exists === undefined) return add();
    if (!(await exists(key))) throw new SessionNotFoundError(session.id);
    await add();
    if (await exists(key)) return;
    await this.deleteSession({ ...keyOf(session), eventIds: session.events.map(({ id }) => id) });
    throw new SessionNotFoundError(session.id);
  }

  /**
   * Adds the texts of a session, except for rewound events. Adding a session again adds only new texts.
   *
   * @throws {AdornError} `SESSION_NOT_FOUND` if the service belongs to a runner, and the session was deleted
   */
  abstract addSessionToMemory(session: Session): Promise<void>;
  /** Adds what the events say. An event that was added before is not added twice. */
  abstract addEvents(scope: MemoryScope, events: readonly Event[]): Promise<void>;
  /** Adds memories that are not from events. */
  abstract addMemory(scope: MemoryScope, entries: readonly MemoryEntry[]): Promise<void>;
  /**
   * Deletes the memories that were made of a session: those of its events, and those that name it. A runner calls it when
   * the session is deleted. Calling it again does nothing.
   *
   * @throws {NotSupportedError} if the backend cannot: the memories of deleted sessions then stay, and the runner warns
   */
  deleteSession({ sessionId }: DeletedSession): Promise<void> {
    return Promise.reject(new NotSupportedError(this, `delete the memories of the session ${sessionId}`));
  }

  /**
   * Deletes all memories of a user. Deleting them again does nothing.
   *
   * @returns how many there were
   * @throws {NotSupportedError} if the backend cannot
   */
  deleteUser({ userId }: MemoryScope): Promise<number> {
    return Promise.reject(new NotSupportedError(this, `delete the memories of the user ${userId}`));
  }

  /**
   * Deletes the memories of all users of an application that are older than a time: by their timestamp, or else by when they
   * were added.
   *
   * @param before in seconds since 1970
   * @returns how many there were
   * @throws {NotSupportedError} if the backend cannot
   */
  deleteOlder(appName: string, _before: number): Promise<number> {
    return Promise.reject(new NotSupportedError(this, `delete memories of ${appName} by age`));
  }

  /**
   * The memories of a user, the last added first, so that the user can see what is remembered.
   *
   * @throws {NotSupportedError} if the backend cannot
   */
  listMemories({ userId }: MemoryScope, _page?: Page): Promise<StoredMemory[]> {
    return Promise.reject(new NotSupportedError(this, `list the memories of the user ${userId}`));
  }

  /**
   * Replaces the content of a memory, which is found by the new one from then on. Adding its session again does not undo it.
   *
   * @returns false if the user has no memory of that id
   * @throws {NotSupportedError} if the backend cannot
   */
  correctMemory(_scope: MemoryScope, id: string, _content: Content): Promise<boolean> {
    return Promise.reject(new NotSupportedError(this, `correct the memory ${id}`));
  }

  /**
   * Deletes a memory. A memory of a session comes back if the session is added again: delete the session, or what was said in it.
   *
   * @returns false if the user has no memory of that id
   * @throws {NotSupportedError} if the backend cannot
   */
  deleteMemory(_scope: MemoryScope, id: string): Promise<boolean> {
    return Promise.reject(new NotSupportedError(this, `delete the memory ${id}`));
  }

  /** Returns matching memories, best first. */
  abstract searchMemory(
    scope: MemoryScope,
    query: string,
    options?: SearchMemoryOptions,
  ): Promise<MemoryEntry[]>;
}

/** Whether a text is embedded as a stored document or as a query. Some models distinguish the two. */
export type EmbeddingPurpose = 'document' | 'query';

/**
 * Turns texts into vectors, so that texts of like meaning are near each other.
 *
 * Its own container identifier: `bind(Embedder).toConstantValue(new GeminiEmbedder())`.
 */
export abstract class Embedder {
  static {
    shareClass(this, 'Embedder');
  }

  /** The model. Vectors of embedders with different names, or dimensions, are never compared. */
  abstract readonly name: string;
  /** The length of each vector. */
  abstract readonly dimensions: number;

  /** The cosine similarity, from -1 to 1, below which two texts count as unrelated. Depends on the model. Default: 0. */
  get minScore(): number {
    return 0;
  }

  /**
   * Returns one vector per text, in order. Vectors need not be normalised; only directions are compared.
   *
   * @param purpose default: `document`
   */
  abstract embed(texts: readonly string[], purpose?: EmbeddingPurpose): Promise<number[][]>;
}
