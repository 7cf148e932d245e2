import { joinText } from '../content/content-parts.js';
import { requireContent } from '../content/read-content.js';
import type { Event } from '../events/event.js';
import type { Session } from '../events/session.js';
import { effectiveEvents } from '../log/effective-events.js';
import { assertScope, checkName, checkScope } from '../names/check-name.js';
import {
  type MemoryEntry,
  type MemoryScope,
  MemoryService,
  type SearchMemoryOptions,
} from './memory.service.js';
import { TextQuery } from './text-query.js';

/** Memories that live as long as the process, found by the words and characters that they share with the query. */
export class InMemoryMemoryService extends MemoryService {
  private readonly shelves = new Map<string, Map<string, MemoryEntry>>();

  async addSessionToMemory(session: Session): Promise<void> {
    this.addSaid(session, effectiveEvents(session.events), session.id);
  }

  async addEvents(scope: MemoryScope, events: readonly Event[]): Promise<void> {
    this.addSaid(scope, events);
  }

  async addMemory(scope: MemoryScope, entries: readonly MemoryEntry[]): Promise<void> {
    checkScope(scope);
    const kept = entries.map((entry) => ({ ...entry, content: requireContent(entry.content) }));
    const shelf = this.shelf(scope);
    for (const entry of kept) {
      shelf.set(`memory ${String(shelf.size)}`, entry);
    }
  }

  async searchMemory(
    scope: MemoryScope,
    query: string,
    { limit = 10 }: SearchMemoryOptions = {},
  ): Promise<MemoryEntry[]> {
    assertScope(scope);
    const wanted = new TextQuery(query);
    const found = [...this.shelf(scope).values()]
      .map((entry) => ({ entry, score: wanted.score(joinText(entry.content)) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    return found.slice(0, limit).map(({ entry }) => entry);
  }

  private addSaid(scope: MemoryScope, events: readonly Event[], sessionId?: string): void {
    checkScope(scope);
    for (const { id } of events) checkName('id of an event', id);
    for (const event of events) this.addEvent(scope, event, sessionId);
  }

  private addEvent(scope: MemoryScope, event: Event, sessionId?: string): void {
    if (event.content === undefined || event.text === '') return;
    const { content, author, timestamp } = event;
    this.shelf(scope).set(`event ${event.id}`, {
      content,
      author,
      timestamp,
      ...(sessionId !== undefined && { sessionId }),
    });
  }

  private shelf({ appName, userId }: MemoryScope): Map<string, MemoryEntry> {
    const address = JSON.stringify([appName, userId]);
    const shelf = this.shelves.get(address) ?? new Map<string, MemoryEntry>();
    this.shelves.set(address, shelf);
    return shelf;
  }
}
