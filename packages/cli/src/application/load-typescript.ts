import { readFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Has Node load TypeScript from now on: by the project's own tsx, else file by file with the compiler that Adorn brings.
 *
 * @param file the file that will be loaded
 * @param bin the URL of the command, from which the compiler is found
 */
export async function loadTypeScript(file: string, bin: string): Promise<void> {
  const tsx = ownTsx(file);
  if (tsx === undefined) {
    register('@adorn/compiler/typescript-hooks', bin);
  } else {
    const { register: registerTsx } = (await import(pathToFileURL(tsx).href)) as { register: () => void };
    registerTsx();
  }
}

/** The part of tsx that registers it as ES module; `require.resolve` would find that for CommonJS. */
function ownTsx(file: string): string | undefined {
  try {
    const manifest = createRequire(file).resolve('tsx/package.json');
    const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as TsxManifest;
    const entry = exports?.['./esm/api']?.import?.default;
    return entry === undefined ? undefined : join(dirname(manifest), entry);
  } catch {
    return undefined;
  }
}

interface TsxManifest {
  readonly exports?: { readonly './esm/api'?: { readonly import?: { readonly default?: string } } };
}
