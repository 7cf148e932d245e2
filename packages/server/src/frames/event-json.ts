import type { Event } from '@adorn/core';
import { CALL_ENDING } from '@adorn/core/backend';

import type { EventJson } from './frame.js';

/**
 * The JSON of an event for clients. What a tool has ended with while a callback after it asks a person is left out: the callback has
 * not said yet what may be shown of it.
 */
export function eventJson(event: Event): EventJson & Record<string, unknown> {
  const json = event.toJSON();
  const { [CALL_ENDING]: ending, ...rest } = event.customMetadata ?? {};
  if (ending === undefined) return json as unknown as EventJson;
  const { customMetadata: _whole, ...shown } = json;
  return (Object.keys(rest).length > 0 ? { ...shown, customMetadata: rest } : shown) as unknown as EventJson;
}
