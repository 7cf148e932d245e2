import { createUnplugin } from 'unplugin';

import { mayHaveRecords } from './may-have-records.js';
import { sourcePathOf, TYPESCRIPT } from './source-path.js';
import type { SourceTransformer } from './source-transformer.js';

export interface AdornPluginOptions {
  /** A tsconfig, or the folder that holds `tsconfig.json`. Default: for each file the one that includes it. */
  readonly project?: string;
}

/** Puts the tools' schemas into their classes before the bundler takes the types away. */
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
