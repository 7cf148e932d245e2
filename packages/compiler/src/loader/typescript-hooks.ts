import { existsSync } from 'node:fs';
import type { LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';

import { transpileCached } from './transpile-cached.js';

/** The source that an import of an emitted file means. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.mjs': ['.mts'],
  '.jsx': ['.tsx'],
};

const SOURCE = /(?<!\.d)\.(?:ts|tsx|mts)$/;

/**
 * Module hooks that load TypeScript as ES modules, for `module.register`: each file is compiled by itself with the
 * options of its tsconfig, decorators and their metadata included; types are not checked. An import of `./orders.js`
 * is `./orders.ts` if only that exists. What was compiled is cached.
 */
export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  try {
    return await nextResolve(specifier, context);
  } catch (error) {
    const source = sourceOf(specifier, context.parentURL);
    if (source === undefined) throw error;
    return { url: source, format: 'module', shortCircuit: true };
  }
};

export const load: LoadHook = async (url, context, nextLoad) => {
  if (!url.startsWith('file:') || !SOURCE.test(new URL(url).pathname)) return nextLoad(url, context);
  return { format: 'module', source: await transpileCached(fileURLToPath(url)), shortCircuit: true };
};

/** A relative import of an emitted file of which only the source exists. */
function sourceOf(specifier: string, parent: string | undefined): string | undefined {
  if (parent === undefined || !/^\.\.?\//.test(specifier)) return undefined;
  const [extension = ''] = /\.[cm]?jsx?$/.exec(specifier) ?? [];
  for (const source of SOURCES[extension] ?? []) {
    const url = new URL(specifier.slice(0, -extension.length) + source, parent);
    if (existsSync(url)) return url.href;
  }
  return undefined;
}
