import { isObject } from '@adorn/schema';

import type { Event } from './event.js';

/** The key of the custom metadata of a response event: the pages of its calls (MCP Apps), by the id of the call. */
const UI = 'adorn:ui';

/** @param pages their URIs by the id of the call */
export function uiMetadata(pages: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return { [UI]: pages };
}

/** The URI of the page that shows a call which the event answers, such as `ui://weather/view.html`; undefined without one. */
export function uiIn(
  { author, customMetadata }: Pick<Event, 'author' | 'customMetadata'>,
  callId: string,
): string | undefined {
  const pages = author === 'user' ? undefined : customMetadata?.[UI];
  const uri = isObject(pages) && Object.hasOwn(pages, callId) ? pages[callId] : undefined;
  return typeof uri === 'string' ? uri : undefined;
}
