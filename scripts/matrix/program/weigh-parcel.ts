import type { Parcel } from './parcel.js';

/**
 * Weighs a parcel before it is sent.
 * @param grams What one piece weighs. @minimum 1
 */
export function weighParcel(parcel: Parcel, grams = 100): { grams: number } {
  const pieces = parcel.lines.reduce((sum, { count }) => sum + count, 0);
  return { grams: pieces * grams };
}
