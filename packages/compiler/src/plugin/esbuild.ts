import type { UnpluginInstance } from 'unplugin';

import { adornPlugin, type AdornPluginOptions } from './adorn-plugin.js';

const adorn: UnpluginInstance<AdornPluginOptions | undefined, false>['esbuild'] = adornPlugin.esbuild;

export type { AdornPluginOptions };
export default adorn;
