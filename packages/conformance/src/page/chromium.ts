import { existsSync } from 'node:fs';

import { installPackages } from '../debian-packages.js';

const DEBIAN_CHROMIUM = '/usr/bin/chromium';
const CHROMIUM = process.env['CHROMIUM'] ?? DEBIAN_CHROMIUM;

/**
 * The path of Chromium: that of the variable `CHROMIUM`, or Debian's, which is installed where this process may do so.
 *
 * @throws {Error} if there is none
 */
export function findChromium(): string {
  if (!existsSync(CHROMIUM) && CHROMIUM === DEBIAN_CHROMIUM) installPackages(['chromium']);
  if (!existsSync(CHROMIUM))
    throw new Error(`There is no ${CHROMIUM}. Install Chromium, or name another one with CHROMIUM.`);
  return CHROMIUM;
}
