import type { Content } from '../content/genai-types.js';
import type { Event } from '../events/event.js';
import type { Session } from '../events/session.js';

/** Whose memories. */
export interface MemoryScope {
  readonly appName: string;
  readonly userId: string;
}

/** Something worth finding again, and where it comes from. */
export interface MemoryEntry {
  readonly content: Content;
  readonly author?: string;
  /** Seconds since 1970, a float. */
  readonly timestamp?: number;
  readonly sessionId?: string;
}

export interface SearchMemoryOptions {
  /** How many at the most. Default: 10. */
  readonly limit?: number;
  /**
   * The least cosine, from -1 to 1, of a memory that is found by its meaning. What shares a word with the query is
   * found whatever this says. Default: the embedder's; without meaning where no `Embedder` is bound.
   */
  readonly minScore?: number;
}

/**
 * Keeps what conversations said, to be found in later ones. Nothing enters it by itself. A name of the scope, or the id
 * of an event, that has more than `MAX_NAME_BYTES` is refused by `NAME_TOO_LONG`, and nothing is added.
 *
 * Its own container identifier: `bind(MemoryService).to(InMemoryMemoryService)`.
 * Every implementation passes `describeMemoryService` from `@adorn/testing/contracts`.
 */
export abstract class MemoryService {
  /** Adds the texts of a session, but for what a rewind undid; adding it again adds only what is new. */
  abstract addSessionToMemory(session: Session): Promise<void>;
  abstract addEvents(scope: MemoryScope, events: readonly Event[]): Promise<void>;
  abstract addMemory(scope: MemoryScope, entries: readonly MemoryEntry[]): Promise<void>;
  /** The best first; empty where nothing fits. */
  abstract searchMemory(
    scope: MemoryScope,
    query: string,
    options?: SearchMemoryOptions,
  ): Promise<MemoryEntry[]>;
}

/** What a text is embedded for: to be found, or to find others. Some models tell the two apart. */
export type EmbeddingPurpose = 'document' | 'query';

/**
 * Turns texts into vectors, so that texts of like meaning are near each other.
 *
 * Its own container identifier: `bind(Embedder).toConstantValue(new GeminiEmbedder())`.
 */
export abstract class Embedder {
  /** The model. Vectors of embedders with different names, or dimensions, are never compared. */
  abstract readonly name: string;
  /** How many numbers each vector has. */
  abstract readonly dimensions: number;

  /** The cosine, from -1 to 1, below which two texts have nothing to do with each other: a matter of the model. */
  get minScore(): number {
    return 0;
  }

  /**
   * One vector for each text, in their order; of any length, since only their directions are compared.
   *
   * @param purpose `document` unless said
   */
  abstract embed(texts: readonly string[], purpose?: EmbeddingPurpose): Promise<number[][]>;
}
