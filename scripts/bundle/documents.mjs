import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

import { listFiles, ROOT } from '../setup/workspace.mjs';

const WRITER = `${ROOT}packages/docs/build/packaged-documents.js`;
const FOLDER = 'packages/adorn/docs';

/** Writes the documents that the package `adorn` brings along, and removes what is none of them any more. */
export async function writeDocuments(packages) {
  const { packagedDocuments } = await import(pathToFileURL(WRITER).href);
  const documents = packagedDocuments(
    ROOT,
    packages.map(({ folder }) => folder),
  );
  const paths = new Map([...documents].map(([path, text]) => [`${FOLDER}/${path}`, text]));
  for (const path of listFiles(FOLDER)) if (!paths.has(path)) rmSync(path);
  for (const [path, text] of paths) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
