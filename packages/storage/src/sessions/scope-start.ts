/** 2025-01-01, in seconds since 1970. */
const EPOCH = 1_735_689_600;

/**
 * The version at which the state of a scope begins: the seconds since 2025. A scope that was deleted and is written again so has a
 * later version than any that a process may still hold.
 */
export function scopeStart(): number {
  return Math.floor(Date.now() / 1000) - EPOCH;
}
