import { open } from 'node:fs/promises';

/** A name in a folder outlives the loss of power once the folder is written out; Windows does so by itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
