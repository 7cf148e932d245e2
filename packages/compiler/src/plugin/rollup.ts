import type { UnpluginInstance } from 'unplugin';

import { adornPlugin, type AdornPluginOptions } from './adorn-plugin.js';

const adorn: UnpluginInstance<AdornPluginOptions | undefined, false>['rollup'] = adornPlugin.rollup;

export type { AdornPluginOptions };
export default adorn;
