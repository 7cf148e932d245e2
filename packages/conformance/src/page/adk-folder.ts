import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { messageOf } from '../message-of.js';
import { installPeer } from '../install-peer/install-peer.js';

/** The built page of Google's development tools, which is installed when it is first needed; or why it is not there. */
export async function adkPageFolder(): Promise<{ readonly folder: string } | { readonly why: string }> {
  try {
    const folder = join(await installPeer('adk-devtools'), 'node_modules/@google/adk-devtools/dist/browser');
    return existsSync(join(folder, 'index.html')) ? { folder } : { why: `${folder} has no page.` };
  } catch (error) {
    return { why: messageOf(error) };
  }
}
