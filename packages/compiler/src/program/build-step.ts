import { shownPath } from './shown-path.js';

/** The step of a file among many, such as `Checking 3 of 40: src/orders.ts`. */
export function stepOf(what: string, place: number, count: number, file: string): string {
  return `${what} ${String(place + 1)} of ${String(count)}: ${shownPath(file)}`;
}
