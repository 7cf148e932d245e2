import { AdornError } from '@adorn/core';
import { warmDerivations } from '@adorn/core/compiler';

import { decoratedSources } from './decorated-sources.js';

/**
 * Jest's `globalSetup`: derives the schemas of a project's tools once, before the workers start, each of which would
 * run the compiler for itself. A project with a setup of its own calls it from there.
 */
export default async function warmCache(
  _globalConfig: unknown,
  { roots }: { readonly roots: readonly string[] },
): Promise<void> {
  try {
    await warmDerivations(decoratedSources(roots));
  } catch (error) {
    // The tests that need the schemas say what is wrong; the others are none the worse for it.
    if (!AdornError.is(error)) throw error;
  }
}
