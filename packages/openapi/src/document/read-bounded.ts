import { open } from 'node:fs/promises';

import { OpenApiDocumentError } from '../errors.js';

/**
 * Reads a file, and never more than the limit: a device file has no end.
 *
 * @throws {OpenApiDocumentError}
 */
export async function readBounded(path: string | URL, maxBytes: number): Promise<string> {
  const label = `"${String(path)}"`;
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > maxBytes) throw tooLarge(label, maxBytes);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size), position: 0 });
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    if (error instanceof OpenApiDocumentError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new OpenApiDocumentError(
      label,
      `the file cannot be read (${code ?? 'unreadable'})`,
      'Check the path.',
      { cause: error },
    );
  }
}

/** The error of a document that exceeds the limit. */
export function tooLarge(label: string, maxBytes: number, cause?: unknown): OpenApiDocumentError {
  return new OpenApiDocumentError(
    label,
    `it has more than ${String(maxBytes)} bytes`,
    'Pass a larger maxDocumentBytes, or keep the operations that are needed.',
    { cause },
  );
}
