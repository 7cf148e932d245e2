import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';

import { createUnplugin } from 'unplugin';

import type { SourceTransformer } from './source-transformer.js';

export interface AdornPluginOptions {
  /** A tsconfig, or the folder that holds `tsconfig.json`. Default: for each file the one that includes it. */
  readonly project?: string;
}

/** Adds the schemas of tools to their classes before the bundler removes the types. */
export const adornPlugin = createUnplugin<AdornPluginOptions | undefined, false>((options) => {
  let transformer: SourceTransformer | undefined;
  const expire = (): void => transformer?.expire();
  return {
    name: 'adorn',
    enforce: 'pre',
    buildStart: expire,
    watchChange: expire,
    esbuild: { onLoadFilter: TYPESCRIPT, loader: 'default' },
    transform: {
      filter: { id: TYPESCRIPT },
      async handler(text, id) {
        const path = sourcePathOf(id);
        if (path === undefined || !mayHaveRecords(text)) return undefined;
        const loaded = await import('./source-transformer.js');
        transformer ??= new loaded.SourceTransformer(options?.project);
        return transformer.transform(path, text, this);
      },
    },
  };
});

/** Ids that may be TypeScript. A regular expression, so that esbuild and rolldown filter without calling JavaScript. */
export const TYPESCRIPT = /\.[cm]?tsx?(?:\?.*)?$/;

const SOURCE = /(?<!\.d)\.[cm]?tsx?$/;
/** With these queries Vite does not load the source's code. */
const NOT_ITS_CODE = /(?:^|&)(?:raw|url|worker|sharedworker)(?:[=&]|$)/;

/** The source file of a bundler's module id; undefined for other modules. */
export function sourcePathOf(id: string): string | undefined {
  const [path = '', query = ''] = id.split('?', 2);
  const isSource = SOURCE.test(path) && !/[\\/]node_modules[\\/]/.test(path) && !NOT_ITS_CODE.test(query);
  return isSource && isAbsolute(path) && existsSync(path) ? path.replaceAll('\\', '/') : undefined;
}

/**
 * Whether a look at its text leaves open that a file has something for Adorn. Decorators and functions may have any
 * name there, and a method may override a tool without a word about it; but all of them come from another module,
 * and all of them need a class or a call.
 */
export function mayHaveRecords(text: string): boolean {
  const takesFromElsewhere = /\b(?:import|require)\b/.test(text);
  return takesFromElsewhere && (/\bclass\b/.test(text) || text.includes('('));
}
