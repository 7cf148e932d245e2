import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

import { CACHE, listFiles, listPages, listProjectsBehind, listWorkspaces } from './workspace.mjs';

/**
 * Whether nothing that goes into a build, and nothing that came out of it, has changed since it succeeded.
 *
 * @param kind `sources`, `specs` (the sources, and the types of the specs), or the folder of a project: what it needs
 */
export function isBuilt(kind) {
  return existsSync(stampOf(kind)) && readFileSync(stampOf(kind), 'utf8') === fingerprint(kind);
}

/** Forgets that the build succeeded: done before it starts, so a build that breaks off is never trusted. */
export function forgetBuild() {
  for (const path of listFiles(CACHE)) if (STAMP.test(path)) rmSync(path, { force: true });
}

/** Notes a build that succeeded; one that has checked the specs has built the sources too. */
export function rememberBuild(kind) {
  mkdirSync(CACHE, { recursive: true });
  for (const done of kind === 'specs' ? ['sources', 'specs'] : [kind]) {
    writeFileSync(stampOf(done), fingerprint(done));
  }
}

const STAMP = /\/built-(sources|specs|for-[^/]+)$/;

function stampOf(kind) {
  return `${CACHE}/built-${isFolder(kind) ? `for-${kind.replaceAll('/', '-')}` : kind}`;
}

function isFolder(kind) {
  return kind.includes('/');
}

function fingerprint(kind) {
  const folders = isFolder(kind) ? listProjectsBehind(kind) : listWorkspaces().map(({ folder }) => folder);
  return fingerprintOf(
    [
      ...[
        'package-lock.json',
        'tsconfig.json',
        'packages/tsconfig.specs.json',
        'scripts/build.mjs',
        'LICENSE',
        'packages/studio/index.html',
        'packages/studio/vite.config.ts',
      ],
      ...listFiles('packages/server/page'),
      ...listPages(),
      ...listFiles('packages/adorn/docs'),
      ...listFiles('scripts/bundle'),
      ...folders.flatMap((folder) => [`${folder}/package.json`, `${folder}/tsconfig.json`]),
      ...folders.flatMap((folder) =>
        ['src', 'build', 'dist'].flatMap((part) => listFiles(`${folder}/${part}`)),
      ),
    ].filter((path) => kind === 'specs' || !/\.(spec|fixture)\.ts$/.test(path)),
  );
}

/** One word for the paths, sizes and times of the files; a file that is missing counts as such. */
export function fingerprintOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { size: -1, mtimeMs: 0 };
    hash.update(`${path}\0${String(size)}\0${String(mtimeMs)}\n`);
  }
  return hash.digest('hex');
}
