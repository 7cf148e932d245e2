import type { Event } from '@adorn/core';
import {
  type DeletedSession,
  frozenJson,
  readContent,
  type MemoryEntry,
  type MemoryScope,
} from '@adorn/core/backend';
import type { Insertable, Selectable } from 'kysely';

import type { Queries } from '../database/database.js';
import { storedObject } from '../database/stored-json.js';
import { nameFrom, storedName } from '../database/stored-name.js';
import { type MemoriesTable, rowsPerStatement } from '../database/tables.js';

/** A memory to insert, and the text by which it is found. */
export interface NewMemory {
  readonly row: Insertable<MemoriesTable>;
  readonly text: string;
}

/** The owner of rows. Every statement filters by both. */
export interface Owner {
  readonly app: string;
  readonly user_id: string;
}

export function ownerOf({ appName, userId }: MemoryScope): Owner {
  return { app: storedName(appName), user_id: storedName(userId) };
}

/** Deletes the memories of a session's events, and those that name the session, within a transaction. */
export async function deleteMemoriesOf(
  queries: Queries,
  { eventIds, sessionId, ...scope }: DeletedSession,
): Promise<void> {
  const { app, user_id: userId } = ownerOf(scope);
  const ofOwner = queries.deleteFrom('adorn_memories').where('app', '=', app).where('user_id', '=', userId);
  await ofOwner.where('session_id', '=', storedName(sessionId)).execute();
  for (const ids of rowsPerStatement(eventIds))
    await ofOwner.where('event_id', 'in', ids.map(storedName)).execute();
}

/** @param now the timestamp of entries without one */
export function toMemory(owner: Owner, entry: MemoryEntry, now: number, eventId?: string): NewMemory {
  const { author, content, timestamp, sessionId } = entry;
  const row = {
    ...owner,
    event_id: nullable(eventId),
    session_id: nullable(sessionId),
    author: nullable(author),
    timestamp: timestamp ?? null,
    dated: Number.isFinite(timestamp) ? (timestamp ?? now) : now,
    content: JSON.stringify(content),
  };
  return { row, text: textOf(content) };
}

/** @param sessionId the session of the entry, if known */
export function entryOf({ content, author, timestamp }: Event, sessionId?: string): MemoryEntry | undefined {
  if (!content) return undefined;
  return { content, author, timestamp, ...(sessionId !== undefined && { sessionId }) };
}

/** Parses stored JSON as plain data. */
export function fromRow(row: Selectable<MemoriesTable>): MemoryEntry {
  return frozenJson({
    content: readContent(storedObject(row.content, 'adorn_memories', () => `no ${String(row.no)}`)) ?? {
      parts: [],
    },
    ...(row.author !== null && { author: nameFrom(row.author) }),
    ...(row.timestamp !== null && { timestamp: row.timestamp }),
    ...(row.session_id !== null && { sessionId: nameFrom(row.session_id) }),
  });
}

/** The text without thoughts. */
export function textOf({ parts = [] }: MemoryEntry['content']): string {
  const said = parts.filter(({ text, thought }) => text !== undefined && thought !== true);
  return said.map(({ text }) => text).join('');
}

function nullable(name: string | undefined): string | null {
  return name === undefined ? null : storedName(name);
}
