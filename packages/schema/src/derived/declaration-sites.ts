import { defineSlot } from '../metadata/class-metadata.js';

/** The files in which a class may have been decorated, the nearest first. Not inherited. */
export const DECLARATION_SITES = defineSlot<readonly string[]>({
  name: 'declaration-sites',
  empty: () => [],
  overlay: (_inherited, own) => own,
});
