import { warmFolders } from '../jest/warm-cache.js';

/**
 * Vitest's `globalSetup`: derives the schemas of a project's tools once, before the workers start; otherwise the first test
 * of each worker would wait for the compiler. If the compiler fails, the tests that need the schemas report it.
 */
export default function warmCache({ config }: { readonly config: { readonly root: string } }): Promise<void> {
  return warmFolders([config.root]);
}
