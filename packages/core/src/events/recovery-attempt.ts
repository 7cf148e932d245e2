import type { Event } from './event.js';

/**
 * The key of an event's custom metadata for the attempt to recover its run, from 1. Such an event has no content: it makes
 * the attempt known to other processes, and counts it.
 */
export const RECOVERY_ATTEMPT = 'adorn:recoveryAttempt';

export function isRecoveryAttempt({ customMetadata }: Event): boolean {
  return customMetadata?.[RECOVERY_ATTEMPT] !== undefined;
}
