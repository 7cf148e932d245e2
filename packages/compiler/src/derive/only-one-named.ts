import { DerivationFailedError } from '../errors/errors.js';
import { printedPlace } from '../source/place.js';
import type { ts } from '../typescript.js';

/** Records that are found by name at run time. */
export interface Named {
  readonly name: string;
  readonly node: ts.Node;
}

/**
 * The one itself: two of one name in one file cannot be told apart when the program runs.
 *
 * @param kind what they are, such as "classes"
 * @throws DerivationFailedError naming both places
 */
export function onlyOneNamed<Found extends Named>(one: Found, kind: string, all: readonly Found[]): Found {
  const other = all.find(({ name, node }) => name === one.name && node !== one.node);
  if (other === undefined) return one;
  const places = [other, one].map(({ node }) => printedPlace(node)).join(' and ');
  throw new DerivationFailedError(`Two ${kind} are named ${one.name} (${places}). Rename one of them.`);
}
