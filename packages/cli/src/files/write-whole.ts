import { createWriteStream, rmSync, statSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a file whole or not at all: what it held stays until all is written. It keeps its permissions. A device or a pipe, such as `/dev/stdout`, is
 * written directly.
 *
 * @param chunks the text in pieces
 */
export async function writeWhole(
  path: string,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const replaced = statSync(path, { throwIfNoEntry: false });
  if (replaced?.isFile() === false) {
    await pipeline(chunks, createWriteStream(path));
    return;
  }
  const part = `${path}.${String(process.pid)}.part`;
  const remove = (): void => {
    rmSync(part, { force: true });
  };
  using _cleaning = onEnd(remove);
  try {
    const file = await open(part, 'w');
    // A stream that is destroyed while it opens the file would create it after it was removed.
    try {
      if (replaced) await file.chmod(replaced.mode);
      await writeFile(file, chunks);
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    remove();
    throw error;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Until it is disposed of, a signal that ends the process first calls the function. */
function onEnd(clean: () => void): Disposable {
  // Another listener, such as that of a runner, ends the process when it is done.
  const isAlone = SIGNALS.every((signal) => process.listenerCount(signal) === 0);
  const stopListening = (): void => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    stopListening();
    clean();
    if (isAlone) process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  return { [Symbol.dispose]: stopListening };
}
