import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

import { packagedPath, withPackagedLinks } from './packaged-path.js';
import { DOCS, listPagePaths } from './page-paths.js';

/** Why the code is as it is: for who changes it. */
const DECISIONS = `${DOCS}decisions/`;
const LLMS = `${DOCS}llms.txt`;
/** The file that a snippet is taken from. */
const SNIPPET = /^```\S+ file=(\S+)/gm;
/** The sample whose output a terminal shows, and the session. */
const TERMINAL = /^```console of=(\S+)\n([\s\S]*?)^```/gm;
/** Programs of applications. What a page shows of the sources of a package is in that package. */
const PROGRAM = /^(samples|packages\/cli\/templates)\//;
const LINKED = /\]\(([^)\s#]+\.(?:ts|js))\)/g;
const IMPORTED = /(?:from|import) '(\.[^']+)\.js'/g;
/** A file of JSON that a program reads by its path from the root. */
const READ = /'(samples\/[^'\s]+\.json)'/g;

const READING = `All paths are relative to this file. A program on a page names its file, as in \`file=samples/guides/src/mcp.ts\`: the whole program is
here, too. \`npx adorn mcp\` serves these documents with a search to a coding agent.
`;

/**
 * The documents as the package `adorn` brings them along: `llms.txt`, the pages for users, the READMEs of the published packages, and the programs
 * that pages show.
 *
 * @param root of the repository, with a slash at its end
 * @param packages folders of the published packages, such as `packages/core`
 * @returns texts by their paths from the folder of the documents
 */
export function packagedDocuments(root: string, packages: readonly string[]): Map<string, string> {
  const read = (path: string): string => readFileSync(root + path, 'utf8');
  const pages = listPagePaths(root).filter((path) => isPackaged(path, packages));
  const texts = new Map([LLMS, ...pages].map((path) => [path, read(path)]));
  const programs = withImports(
    root,
    [...texts].flatMap(([page, text]) => programsOf(page, text)),
  );
  const packaged = new Set([...texts.keys(), ...programs]);
  return new Map([
    ...[...texts].map(([path, text]): [string, string] => [
      packagedPath(path),
      withReading(path, withPackagedLinks(text, path, packaged)),
    ]),
    ...programs.map((path): [string, string] => [packagedPath(path), read(path)]),
  ]);
}

function isPackaged(path: string, packages: readonly string[]): boolean {
  if (path.startsWith(DOCS)) return !path.startsWith(DECISIONS);
  return packages.some((folder) => path === `${folder}/README.md`);
}

/** The list of pages says first how they are to be read. */
function withReading(path: string, text: string): string {
  return path === LLMS ? text.replace('\n## ', `\n${READING}\n## `) : text;
}

/** The programs that a page shows, runs or links to. */
function programsOf(page: string, text: string): string[] {
  const shown = [...text.matchAll(SNIPPET)].map(([, file = '']) => file);
  const run = [...text.matchAll(TERMINAL)].flatMap(([, folder = '', session = '']) =>
    [...session.matchAll(/^\$ node build\/(\S+)\.js/gm)].map(([, name = '']) => `${folder}/src/${name}.ts`),
  );
  const linked = [...text.matchAll(LINKED)].map(([, target = '']) => posix.join(posix.dirname(page), target));
  return [...shown, ...run, ...linked].filter((path) => PROGRAM.test(path));
}

/** The files with all that they import or read of their own samples, each once, sorted; what does not exist is left out. */
function withImports(root: string, files: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (path: string): void => {
    if (found.has(path) || !existsSync(root + path)) return;
    found.add(path);
    const text = readFileSync(root + path, 'utf8');
    for (const [, target = ''] of text.matchAll(IMPORTED))
      add(posix.join(posix.dirname(path), `${target}.ts`));
    for (const [, target = ''] of text.matchAll(READ)) add(target);
  };
  files.forEach(add);
  return [...found].sort();
}
