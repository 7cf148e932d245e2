import type { RunStatus } from '@adorn/core/backend';
import type { Generated } from 'kysely';

/** A conversation. Names in columns are escaped: see `stored-name.ts`. */
interface SessionsTable {
  readonly no: Generated<number>;
  readonly app: string;
  readonly user_id: string;
  readonly id: string;
  readonly title: string | null;
  /** How many events were ever appended: the `seq` of the next one. */
  readonly next_seq: number;
  /** Counts the changes of the session's own state. */
  readonly state_version: number;
  /** The epoch of the run that took the session last; 0 if none did. */
  readonly run_epoch: number;
  /** The id of that run. */
  readonly last_run: string | null;
  /** Seconds since 1970, a float, like all times. */
  readonly created_at: number;
  readonly updated_at: number;
}

/** The log: `seq` runs from 0 without a gap in each session. */
interface EventsTable {
  readonly session_no: number;
  readonly seq: number;
  readonly id: string;
  readonly invocation_id: string;
  readonly timestamp: number;
  /** The event's wire form, as JSON. */
  readonly body: string;
}

/** One key of a session's own state; the value as JSON. */
interface SessionStateTable {
  readonly session_no: number;
  readonly key: string;
  readonly value: string;
}

/** A key of a session's own state that was written without an event. */
interface StateUpdatesTable {
  readonly session_no: number;
  /** The session's `next_seq` at the write. */
  readonly seq: number;
  readonly key: string;
  /** As JSON; null if the key was removed. */
  readonly value: string | null;
}

/** A scope of shared state: an application, or a user of an application. */
interface ScopesTable {
  readonly no: Generated<number>;
  readonly address: string;
  /** Counts the changes of the scope's state. */
  readonly version: number;
}

interface ScopeStateTable {
  readonly scope_no: number;
  readonly key: string;
  readonly value: string;
}

/** An index of the log: requests, and the events that answered them. A request is answered once. */
interface RequestsTable {
  readonly session_no: number;
  readonly id: string;
  readonly opened_seq: number | null;
  readonly answered_seq: number | null;
}

/** A run of a session: an index of the log. */
export interface RunsTable {
  readonly session_no: number;
  readonly id: string;
  readonly continues: string | null;
  readonly status: RunStatus;
  readonly epoch: number;
  readonly opened_at: number;
  readonly attempts: number;
  /** When its process took or renewed its hold, by the clock of the database. Null if no process renews it. */
  readonly held_at: Generated<number | null>;
  /** When a reader in another process looked at it, by the clock of the database. */
  readonly read_at: Generated<number | null>;
  /** 1 if its process gave it up before its end. */
  readonly is_released: Generated<number>;
  /** 1 if its process is asked to cancel it. */
  readonly is_cancel_requested: Generated<number>;
}

/** A memory of a user. Its words are indexed in other tables: see `003-memory.ts`. */
export interface MemoriesTable {
  readonly no: Generated<number>;
  readonly app: string;
  readonly user_id: string;
  /** The source event; null if there is none. */
  readonly event_id: string | null;
  readonly session_id: string | null;
  readonly author: string | null;
  /** As passed by the caller. */
  readonly timestamp: number | null;
  /** The timestamp, or else when it was added: the oldest go first. */
  readonly dated: number;
  /** A JSON object. */
  readonly content: string;
  /** The name and dimensions of the embedder of its vector; empty if it has none. */
  readonly embedder: Generated<string>;
}

/** The vector of a memory. */
interface MemoryVectorsTable {
  readonly memory_no: number;
  /** A unit vector: consecutive 32-bit floats on SQLite; `real[]` on PostgreSQL, where it is only written. */
  readonly vector: Uint8Array | ArrayBuffer;
}

/** A version of a file. */
export interface ArtifactsTable {
  /** The owner as JSON: `[app, user]` or `[app, user, session]`. */
  readonly folder: string;
  readonly name: string;
  readonly version: number;
  /** The part, as JSON; without its bytes. */
  readonly part: string;
  /** The SHA-256 of its bytes, their address in the content store; null without bytes. */
  readonly content: string | null;
  /** In bytes. */
  readonly size: number;
  readonly created_at: number;
}

/** Content stored in the database: pieces numbered from 0, at least one. */
interface ContentsTable {
  readonly address: string;
  readonly piece: number;
  readonly bytes: Uint8Array;
}

/** A user's credential under the key of the `AuthConfig` that asked for it. */
export interface CredentialsTable {
  readonly app: string;
  readonly user_id: string;
  readonly key: string;
  /** The id of the encryption key. */
  readonly key_id: string;
  /** In base64: nonce, ciphertext, tag. */
  readonly sealed: string;
  readonly updated_at: number;
}

/** An effect in the world, by a key of the domain, and the call that has it. */
export interface EffectsTable {
  readonly app: string;
  readonly scope: string;
  readonly tool: string;
  /** A digest of the key that the tool gave. */
  readonly key: string;
  /** The id of the call. */
  readonly claim_id: string;
  readonly claimed_by: string;
  readonly claimed_at: number;
  readonly held_until: number;
  readonly expires_at: number | null;
  /** JSON; null until the effect is done. */
  readonly result: string | null;
  readonly done_at: number | null;
}

/** A session in which a request may be open. Its rows of `adorn_open_requests` are those of its log up to `indexed_seq`. */
interface AskingTable {
  readonly session_no: number;
  /** The session's `next_seq` after the last event that may have opened, closed or changed a request. */
  readonly touched_seq: number;
  readonly indexed_seq: Generated<number>;
}

/** A request that waits for an answer: an index of the log. */
interface OpenRequestsTable {
  readonly session_no: number;
  readonly id: string;
  readonly app: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly tool: string;
  readonly asked_at: number;
  /** The request as a runner hands it out, as JSON. */
  readonly body: string;
}

/** What was sent to a session and is not in its log yet. `no` is its order. */
interface MailTable {
  readonly no: Generated<number>;
  readonly session_no: number;
  readonly id: string;
  /** As JSON. */
  readonly body: string;
  /** Why the process that has the session did not take it. */
  readonly refusal: Generated<string | null>;
}

/** Every table of Adorn; all names begin with `adorn_`, so that they may share a database with others. */
export interface Tables {
  readonly adorn_sessions: SessionsTable;
  readonly adorn_events: EventsTable;
  readonly adorn_session_state: SessionStateTable;
  readonly adorn_state_updates: StateUpdatesTable;
  readonly adorn_scopes: ScopesTable;
  readonly adorn_scope_state: ScopeStateTable;
  readonly adorn_requests: RequestsTable;
  readonly adorn_runs: RunsTable;
  readonly adorn_memories: MemoriesTable;
  readonly adorn_memory_vectors: MemoryVectorsTable;
  readonly adorn_artifacts: ArtifactsTable;
  readonly adorn_contents: ContentsTable;
  readonly adorn_credentials: CredentialsTable;
  readonly adorn_effects: EffectsTable;
  readonly adorn_asking: AskingTable;
  readonly adorn_open_requests: OpenRequestsTable;
  readonly adorn_mail: MailTable;
}

/** SQLite takes 32,766 parameters in one statement: enough for the columns of so many rows of any table. */
const ROWS = 1000;

/** Many rows, or keys of rows, in portions that fit into one statement each. */
export function* rowsPerStatement<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += ROWS) yield rows.slice(start, start + ROWS);
}
