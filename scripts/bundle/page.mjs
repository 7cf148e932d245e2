import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import { fingerprintOf } from '../setup/build-stamp.mjs';
import { writeNoticesOf } from './notices.mjs';
import { CACHE, listFiles, ROOT } from '../setup/workspace.mjs';

const STUDIO = 'packages/studio';
const STAMP = `${CACHE}/built-page`;

/** Builds the studio into `packages/server/page`, unless the page and its sources are as the last build left them. */
export async function buildPage() {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint()) return;
  const { build } = await import('vite');
  const built = await build({ root: `${ROOT}${STUDIO}`, logLevel: 'warn' });
  const modules = [built].flat().flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds));
  writeNoticesOf(
    modules.map((id) => id.replace(/[?\0].*$/, '')),
    `${ROOT}packages/server/page/THIRD-PARTY.txt`,
  );
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(STAMP, fingerprint());
}

function fingerprint() {
  return fingerprintOf([
    'package-lock.json',
    `${STUDIO}/index.html`,
    `${STUDIO}/vite.config.ts`,
    ...listFiles(`${STUDIO}/src`),
    ...listFiles('packages/server/dist/client').filter((path) => path.endsWith('.js')),
    ...listFiles('packages/server/page'),
  ]);
}
