import { OpenApiDocumentError, OperationFault } from '../errors.js';
import type { DocumentFiles } from './document-files.js';
import { isObject, type JsonObject } from './json-object.js';
import { parseText } from './parse-text.js';

/** Under which key the files of a document are, by names that the bundler gives them. */
export const FILES = 'x-ext';

/** Why a file could not be read; a symbol, so that no document can have it. */
export const FILE_FAULT = Symbol('fault of a file');

const MOST_FILES = 2_000;
const AT_ONCE = 16;

/**
 * Puts the files that a document refers to, directly or not, into the document itself. Where a file cannot be read, only the
 * operations that need it cannot be used.
 *
 * @param label the document, for messages
 * @throws {OpenApiDocumentError} if the files cannot be joined
 */
export async function bundleDocument(
  document: JsonObject,
  files: DocumentFiles,
  label: string,
): Promise<JsonObject> {
  if (!refersToFiles(document)) return document;
  const { bundle } = await import('@scalar/json-magic/bundle');
  const inTurn = limited(AT_ONCE);
  let count = 0;
  const exec = (place: string) =>
    inTurn(async () => {
      const data = ++count > MOST_FILES ? tooMany() : await dataOf(files, place);
      return { ok: true as const, data, raw: '' };
    });
  try {
    const root = prepared(document) as Record<string, unknown>;
    await bundle(root, {
      plugins: [{ type: 'loader', validate: () => true, exec }],
      treeShake: false,
      origin: files.origin,
      externalDocumentsKey: FILES,
      compress: nameOfFile,
    });
    return root;
  } catch (cause) {
    throw new OpenApiDocumentError(label, 'its files cannot be joined', 'Bundle it into one file.', {
      cause,
    });
  }
}

/** True if any reference leads out of the document. Iterative: documents may be deep, and aliases may be circular. */
function refersToFiles(document: JsonObject): boolean {
  const seen = new Set<object>([document]);
  // What is added here is visited by the loop as well.
  for (const value of seen) {
    const { $ref } = value as JsonObject;
    if (typeof $ref === 'string' && !$ref.startsWith('#')) return true;
    for (const part of Object.values(value) as unknown[])
      if (typeof part === 'object' && part !== null) seen.add(part);
  }
  return false;
}

async function dataOf(files: DocumentFiles, place: string): Promise<unknown> {
  try {
    return prepared(await parseText(await files.read(place), `"${place}"`));
  } catch (error) {
    if (error instanceof OperationFault) return { [FILE_FAULT]: error };
    const { message } = error as Error;
    return { [FILE_FAULT]: new OperationFault(`it refers to another file. ${message.replace(/\.$/, '')}`) };
  }
}

function tooMany(): object {
  const fault = `its document has more than ${String(MOST_FILES)} files`;
  return { [FILE_FAULT]: new OperationFault(fault, 'Bundle the document into one file') };
}

/**
 * A copy for the bundler, which changes references in place: no value stands in it twice, as aliases of YAML may. Where a
 * discriminator maps to references, they become `$ref`s, which the bundler knows.
 */
function prepared(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data), (key, value: unknown) => {
    if (key !== 'discriminator' || !isObject(value) || !isObject(value['mapping'])) return value;
    const mapping = Object.entries(value['mapping']).map(([name, target]) => [
      name,
      typeof target === 'string' && /[#./]/.test(target) ? { $ref: target } : target,
    ]);
    return { ...value, mapping: Object.fromEntries(mapping) as object };
  });
}

/** `schemas/Pet.yaml` is `Pet`, from which schemas get their names. The bundler asks again if a name is taken. */
function nameOfFile(place: string): string {
  if (/^\w+$/.test(place)) return `${place}_`;
  const [name = ''] = (place.split('/').at(-1) ?? '').split('.');
  return name.replace(/\W/g, '_').replace(/^_+/, '') || 'file';
}

/** Runs no more than so many at once. */
function limited(most: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await run();
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
}
