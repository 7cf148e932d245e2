/**
 * The process that `on-demand.ts` starts to derive records: it reads `{ "files": [...] }`, absolute paths of
 * sources, on its standard input and writes one `DerivationAnswer` on its standard output.
 */
import { readFileSync } from 'node:fs';
import module from 'node:module';

const STANDARD_INPUT = 0;

/** From Node 22 on, what V8 makes of the compiler's nine megabytes is kept for the next time. */
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
const { deriveFiles } = await import('./derive/derive-files.js');

const request = JSON.parse(readFileSync(STANDARD_INPUT, 'utf8')) as { readonly files: readonly string[] };
process.stdout.write(JSON.stringify(deriveFiles(request.files)));
