import { functionResponsesOf } from '../content/function-parts.js';
import type { Event } from './event.js';
import { isRequestName } from './request-names.js';

/** How often each request was answered, by its id, in a log part of which was undone. */
export function countAnswers(events: readonly Event[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { author, content } of events) {
    if (author !== 'user') continue;
    for (const { id = '', name } of functionResponsesOf(content))
      if (isRequestName(name)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
