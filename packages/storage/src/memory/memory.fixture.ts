import { Event, Logger, type MemoryService, type Session } from '@adorn/core';
import type { MemoryEntry } from '@adorn/core/backend';

export const ADA = { appName: 'app', userId: 'ada' };

export function entry(text: string, rest: Omit<MemoryEntry, 'content'> = {}): MemoryEntry {
  return { content: { role: 'user', parts: [{ text }] }, ...rest };
}

export function said(text: string, timestamp = 1_700_000_000): Event {
  return new Event({
    invocationId: 'e-1',
    author: 'clerk',
    timestamp,
    content: { role: 'model', parts: [{ text }] },
  });
}

/** A session of Ada's that was loaded with these events. */
export function sessionOf(events: readonly Event[]): Session {
  return { ...ADA, id: 's1', state: {}, events, nextSeq: events.length, lastUpdateTime: 0 };
}

export async function textsOf(
  memory: MemoryService,
  query: string,
  scope = ADA,
): Promise<(string | undefined)[]> {
  const found = await memory.searchMemory(scope, query, { limit: 100 });
  return found.map(({ content }) => content.parts?.[0]?.text);
}

/** Keeps the warnings. */
export class CapturingLogger extends Logger {
  readonly warnings: string[] = [];

  override warn(message: string): void {
    this.warnings.push(message);
  }

  override debug(): void {
    // Nobody looks at it.
  }

  override info(): void {
    // Nobody looks at it.
  }

  override error(): void {
    // Nobody looks at it.
  }
}
