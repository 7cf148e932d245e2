import type { UnpluginInstance } from 'unplugin';

import { adornPlugin, type AdornPluginOptions } from './adorn-plugin.js';

const adorn: UnpluginInstance<AdornPluginOptions | undefined, false>['vite'] = adornPlugin.vite;

export type { AdornPluginOptions };
export default adorn;
