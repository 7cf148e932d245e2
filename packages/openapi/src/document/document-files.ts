import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { GuardedFetch } from '@adorn/http';

import { OperationFault } from '../errors.js';
import { readBounded } from './read-bounded.js';

/** The files that a document may refer to. */
export interface DocumentFiles {
  /** The place of the document, against which references are resolved: an absolute path with slashes, or an http URL. */
  readonly origin: string;
  /** Where the document was read from over HTTP; undefined for a file. */
  readonly url?: URL;
  /**
   * Reads the file at a place.
   *
   * @throws {OperationFault} if it may not be read
   */
  read(place: string): Promise<string>;
}

const CURE = 'Bundle the document into one file';

/** The files in the folder of a document and below it. A link that leads out of the folder is not followed. */
export class LocalFiles implements DocumentFiles {
  readonly origin: string;
  private readonly folder: string;

  /** @param maxBytes the size of all files together */
  constructor(
    document: string | URL,
    private maxBytes: number,
  ) {
    const path = document instanceof URL ? fileURLToPath(document) : resolve(document);
    this.folder = dirname(path);
    this.origin = decodeURIComponent(pathToFileURL(path).pathname);
  }

  async read(place: string): Promise<string> {
    if (/^https?:/i.test(place))
      throw new OperationFault(`it refers to ${shown(place)}, and a file may refer to files only`, CURE);
    const url = new URL('file:///');
    url.pathname = place;
    const path = fileURLToPath(url);
    this.refuseOutside(this.folder, path);
    const [folder, real] = await Promise.all([realpath(this.folder), realOf(path)]);
    this.refuseOutside(folder, real);
    const text = await readBounded(real, this.maxBytes);
    this.maxBytes -= Buffer.byteLength(text);
    return text;
  }

  private refuseOutside(folder: string, path: string): void {
    const steps = relative(folder, path).split(sep);
    if (steps[0] === '..' || resolve(folder, ...steps) !== path)
      throw new OperationFault(`it refers to ${shown(path)}, outside the folder of the document`, CURE);
  }
}

async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperationFault(`it refers to ${shown(path)}, which cannot be read (${code ?? 'unreadable'})`);
  }
}

/** The files that the server of a document has at the same origin. */
export class RemoteFiles implements DocumentFiles {
  readonly origin: string;

  /** @param maxBytes the size of all files together */
  constructor(
    readonly url: URL,
    private readonly fetch: GuardedFetch,
    private maxBytes: number,
  ) {
    this.origin = url.href;
  }

  async read(place: string): Promise<string> {
    this.refuseOtherOrigin(place);
    const response = await this.fetch(place);
    this.refuseOtherOrigin(response.url);
    if (!response.ok)
      throw new OperationFault(`it refers to ${shown(place)}, which answered ${String(response.status)}`);
    const text = await response.text();
    this.maxBytes -= Buffer.byteLength(text);
    if (this.maxBytes < 0)
      throw new OperationFault('the files of its document are too large', 'Pass a larger maxDocumentBytes');
    return text;
  }

  private refuseOtherOrigin(place: string): void {
    const origin = URL.canParse(place) ? new URL(place).origin : place;
    if (origin === this.url.origin) return;
    throw new OperationFault(`it refers to ${shown(place)}, at another origin than the document`, CURE);
  }
}

function shown(place: string): string {
  return `"${place.slice(0, 200)}"`;
}
