import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

import { build } from 'esbuild';

import { listFiles } from '../setup/workspace.mjs';
import { commonJsImport } from './commonjs-import.plugin.mjs';
import { writeNotices } from './notices.mjs';

/**
 * What may be copied into a package's own files. Everything else it imports is named under its dependencies.
 * inversify and reflect-metadata are dependencies as well: their types are part of the public surface, their code
 * is not to be loaded file by file.
 */
const INLINED = {
  '@adorn/compiler': ['ajv'],
  '@adorn/core': ['inversify'],
  '@adorn/schema': ['@cfworker/json-schema', 'ajv', 'ajv-formats', 'reflect-metadata'],
};

/**
 * Bundles the entries that the package's `exports` and `bin` name, from tsc's `build/` into `dist/`. What is
 * imported on first use becomes a file of its own below `dist/chunks`, so that the entry stays small.
 */
export async function bundlePackage({ folder, manifest }) {
  const result = await build({
    entryPoints: entriesOf(folder, manifest),
    outbase: `${folder}/build`,
    outdir: `${folder}/dist`,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    keepNames: false, // to keep a name is a call wherever its function is made
    sourcemap: true, // follows tsc's maps to src/*.ts
    sourcesContent: false, // src/ is published
    external: externalsOf(manifest),
    plugins: [commonJsImport],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  refuseRenamedErrors(result.outputFiles);
  refuseStrangers(folder, manifest, result.metafile.inputs);
  writeOutputs(
    folder,
    manifest.sideEffects === false ? result.outputFiles.map(dropBareImports) : result.outputFiles,
  );
  writeNotices(folder, Object.keys(result.metafile.inputs));
  for (const bin of Object.values(manifest.bin ?? {})) makeExecutable(`${folder}/${bin}`);
}

function entriesOf(folder, manifest) {
  const exported = Object.values(manifest.exports).map((target) => target.default ?? target);
  const outputs = [...exported, ...Object.values(manifest.bin ?? {})].filter((path) =>
    /^\.\/dist\/.+\.js$/.test(path),
  );
  return [...new Set(outputs)].map((path) => {
    const built = path.replace(/^\.\/dist\//, `${folder}/build/`);
    if (existsSync(built)) return built;
    throw new Error(
      `${folder}/package.json offers ${path}, but there is no ${built.replace(/build(.*)js$/, 'src$1ts')}.`,
    );
  });
}

function externalsOf({ name, dependencies, peerDependencies }) {
  const inlined = INLINED[name] ?? [];
  return Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (dependency) => !inlined.includes(dependency),
  );
}

/** A dependency that somebody forgot to declare would otherwise be copied in without a word. */
function refuseStrangers(folder, { name }, inputs) {
  const allowed = INLINED[name] ?? [];
  for (const [file, { imports }] of Object.entries(inputs)) {
    if (!file.startsWith(`${folder}/`)) continue;
    const stranger = imports.find(
      ({ path, external, original }) =>
        external !== true && !path.startsWith(`${folder}/`) && !allowed.includes(packageOf(original ?? path)),
    );
    if (stranger === undefined) continue;
    throw new Error(
      `${file} imports ${stranger.original ?? stranger.path}, which ${folder}/package.json does not name. ` +
        'Add it to the dependencies, or to INLINED in scripts/bundle/bundle.mjs if it is to be copied.',
    );
  }
}

function packageOf(specifier) {
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}

const RENAMED_ERROR = /^var \w+ = class _\w+ extends AdornError|^(var |class )\w+Error\d+\b/m;

/** An error is called after its class, which the bundler renames where it names itself or shares its name. */
function refuseRenamedErrors(files) {
  for (const { path, text } of files) {
    const [declaration] = (path.endsWith('.js') && RENAMED_ERROR.exec(text)) || [];
    if (declaration === undefined) continue;
    throw new Error(
      `${relative('', path)} has "${declaration}": the name of that error is lost. ` +
        'Write `new this(…)` in its static methods, and give no two errors one name.',
    );
  }
}

const BARE_IMPORT = /^import "\.[^"]+";$/gm;

/**
 * Removes imports of chunks of which nothing is used: without side effects they do nothing, and bundlers of applications warn of
 * each. The empty line keeps the source map right.
 */
function dropBareImports(file) {
  if (!file.path.endsWith('.js')) return file;
  return { path: file.path, contents: Buffer.from(file.text.replace(BARE_IMPORT, '')) };
}

/** Touches only what changed, each file at once: another process may be reading it. */
function writeOutputs(folder, files) {
  const written = new Set(files.map(({ path }) => relative('', path).replaceAll('\\', '/')));
  for (const path of listFiles(`${folder}/dist`)) {
    if (/\.js(\.map)?$/.test(path) && !written.has(path)) rmSync(path);
  }
  for (const { path, contents } of files) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, contents);
    renameSync(`${path}.new`, path);
  }
}

function makeExecutable(path) {
  if (!readFileSync(path, 'utf8').startsWith('#!')) {
    throw new Error(`${path} is a command, so it must begin with "#!/usr/bin/env node".`);
  }
  chmodSync(path, 0o755);
}
