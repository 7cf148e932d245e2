/**
 * The process that `on-demand.ts` starts to derive records: it reads `{ "files": [...] }`, absolute paths of
 * sources, on its standard input and writes one `DerivationAnswer` on its standard output.
 */
import { readFileSync } from 'node:fs';
import module from 'node:module';

const STANDARD_INPUT = 0;

/** From Node 22 on, V8's compiled code of the compiler (nine megabytes) is cached for the next start. */
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
const { deriveFiles } = await import('./derive/derive-files.js');

const request = JSON.parse(readFileSync(STANDARD_INPUT, 'utf8')) as { readonly files: readonly string[] };
process.stdout.write(JSON.stringify(deriveFiles(request.files)));
