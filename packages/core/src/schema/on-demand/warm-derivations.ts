import { DerivationCache } from './derivation-cache.js';
import { findCompiler, runCompiler } from './run-compiler.js';

/**
 * Derives what source files declare and the cache does not hold, by one run of the compiler, so that processes which
 * start after it find it there. A file that the compiler refuses is left to the one who needs its schemas.
 *
 * @returns how many files had to be derived; none without @adorn/compiler
 * @throws {DerivationFailedError} where the compiler cannot run
 */
export async function warmDerivations(files: readonly string[]): Promise<number> {
  const [first] = files;
  const compiler = first === undefined ? undefined : await findCompiler(first);
  if (compiler === undefined) return 0;
  const cache = new DerivationCache(compiler.identity);
  const known = await cache.findAll(files);
  const missed = files.filter((file) => !known.has(file));
  if (missed.length === 0) return 0;
  for (const [file, derived] of Object.entries(await runCompiler(compiler, missed)))
    if (!('error' in derived)) await cache.keep(file, derived);
  return missed.length;
}
