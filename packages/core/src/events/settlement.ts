import { present } from '@adorn/schema';

import { type Principal, readPrincipal } from '../approvals/principal.js';
import type { Event } from './event.js';
import { remarkIn } from './remark.js';

/** What somebody who has looked says of an effect of `once` whose outcome was unknown. */
export interface Settlement {
  /** The id of the claim of the call that had the effect, or had it not. */
  readonly effect: string;
  /** When that call began, in seconds since 1970. A call that begins again has the same id. */
  readonly claimedAt: number;
  /** The name of the tool. */
  readonly tool: string;
  /** The id of the call. */
  readonly callId: string;
  /** The id of the event with the call. */
  readonly eventId: string;
  /** Who says so, without attributes. */
  readonly by: Principal;
  /** When, in seconds since 1970. */
  readonly at: number;
  /** True if the effect took place. */
  readonly happened: boolean;
  /** The result of the effect, if it took place: what later calls for the effect get. */
  readonly result?: unknown;
  /** How that is known, in words. Default: none. */
  readonly reason?: string | undefined;
}

/** The settlement that an event holds; undefined for any other event, and for one of a copied log. */
export function settlementIn(event: Event): Settlement | undefined {
  const stored = remarkIn('settlement', event);
  if (!stored) return undefined;
  const { effect, claimedAt, tool, callId, eventId, happened, result, reason } = stored;
  const by = readPrincipal(stored['by']);
  if (by === undefined || typeof claimedAt !== 'number' || typeof happened !== 'boolean') return undefined;
  if (!areTexts(effect, tool, callId, eventId)) return undefined;
  return present({
    ...({ effect, tool, callId, eventId } as Pick<Settlement, 'effect' | 'tool' | 'callId' | 'eventId'>),
    ...{ claimedAt, by, at: event.timestamp, happened },
    result: happened ? (result ?? null) : undefined,
    reason: typeof reason === 'string' ? reason : undefined,
  });
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}
