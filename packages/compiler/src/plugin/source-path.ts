import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/** The ids that may be TypeScript; a look at most of them is enough. esbuild and rolldown read it without JavaScript. */
export const TYPESCRIPT = /\.[cm]?tsx?(?:\?.*)?$/;

const SOURCE = /(?<!\.d)\.[cm]?tsx?$/;
/** With these Vite puts something else in the place of the source. */
const NOT_ITS_CODE = /(?:^|&)(?:raw|url|worker|sharedworker)(?:[=&]|$)/;

/** The file of ours whose code a bundler asks for under an id; undefined where it is none. */
export function sourcePathOf(id: string): string | undefined {
  const [path = '', query = ''] = id.split('?', 2);
  const isSource = SOURCE.test(path) && !/[\\/]node_modules[\\/]/.test(path) && !NOT_ITS_CODE.test(query);
  return isSource && isAbsolute(path) && existsSync(path) ? path.replaceAll('\\', '/') : undefined;
}
