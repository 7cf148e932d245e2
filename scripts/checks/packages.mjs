// What users would install: each published package is packed, linted by publint and attw, installed from its tarball
// into an empty project with the versions of our lock file, imported, required, and type-checked there.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { installTarballs, packInto, tarballOf } from '../packed/tarballs.mjs';
import { since } from '../setup/seconds.mjs';
import { listFiles, listWorkspaces, readJson, ROOT } from '../setup/workspace.mjs';

/** Everything here is an ES module, so a CommonJS user resolves to one; Node's require(esm) loads it. */
const ATTW = [
  '--profile',
  'node16',
  '--ignore-rules',
  'cjs-resolves-to-esm',
  '--no-emoji',
  '--format',
  'ascii',
];

const CHANGELOG = 'packages/adorn/CHANGELOG.md';
const REPOSITORY = 'https://github.com/adorn-kit/adorn';

process.chdir(ROOT);
/** Files that a package reads when it runs, and that must be in it. */
const EXTRAS = {
  adorn: ['CHANGELOG.md', 'docs/llms.txt', 'docs/README.md', 'docs/samples/guides/src/mcp.ts'],
  '@adorn/cli': [
    ...listFiles('packages/cli/templates').flatMap(templateFile),
    ...['bash', 'fish', 'zsh'].map((shell) => `completions/adorn.${shell}`),
  ],
};
/** What an entry needs that its package names as an optional peer. */
const PEERS_OF_ENTRIES = { '@adorn/server': ['@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs'] };
const packages = listWorkspaces().filter(({ published }) => published);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-packages-')));
const faults = [];
try {
  for (const one of packages) refuseManifest(one);
  pack();
  await timed('publint and attw', lintAll);
  await timed('install from the tarballs', install);
  await timed('import', () => tryImports('import.mjs', (name) => `await import('${name}')`));
  await timed('require', () => tryImports('require.cjs', (name) => `require('${name}')`));
  await timed('types', checkTypes);
  await timed('adorn --version', runCommand);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults) console.error(fault);
console.log(`${String(packages.length)} packages packed, installed, imported and required`);
process.exitCode = faults.length > 0 ? 1 : 0;

async function timed(what, check) {
  const before = faults.length;
  const started = performance.now();
  await check();
  console.error(`${faults.length === before ? 'ok    ' : 'FAILED'} ${what} (${since(started)})`);
}

/** What npm shows of a package, and whether it may be published. */
function refuseManifest({ folder: directory, manifest }) {
  const wanted = {
    homepage: `${REPOSITORY}/tree/main/${directory}#readme`,
    bugs: `${REPOSITORY}/issues`,
    repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory },
    publishConfig: { access: 'public' },
  };
  for (const [field, value] of Object.entries(wanted)) {
    if (isDeepStrictEqual(manifest[field], value)) continue;
    faults.push(`${directory}/package.json needs "${field}": ${JSON.stringify(value)}`);
  }
  if (!readFileSync(CHANGELOG, 'utf8').includes(`\n## ${manifest.version}\n`))
    faults.push(`${CHANGELOG} says nothing of ${manifest.version}, the version of ${manifest.name}.`);
  const { keywords } = manifest;
  if (!Array.isArray(keywords) || keywords.length < 3)
    faults.push(`${directory}/package.json needs at least three "keywords", by which npm's search finds it.`);
}

function pack() {
  for (const { name, files } of packInto(folder, packages)) refuseContents(name, files);
}

/** A file of a template by its path in the package. */
function templateFile(path) {
  const inPackage = path.replace('packages/cli/', '');
  return isStrange(inPackage) ? [] : [inPackage];
}

function refuseContents(name, files) {
  const paths = files.map(({ path }) => path);
  const strange = paths.filter(isStrange);
  const wanted = ['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts', ...(EXTRAS[name] ?? [])];
  const missing = wanted.filter((path) => !paths.includes(path));
  for (const path of strange) faults.push(`${name} would publish ${path}: leave it out under "files".`);
  for (const path of missing) faults.push(`${name} would be published without ${path}.`);
}

/** The tests of a template belong to it, as the tests that documents show; what somebody built there does not. */
function isStrange(path) {
  if (path.startsWith('docs/')) return false;
  if (path.startsWith('templates/')) return /\/(build|node_modules)\//.test(path);
  return /\.(spec|fixture)\.|\.tsbuildinfo$|^(build|node_modules)\//.test(path);
}

/** Two at a time, as both tools spend their time computing. */
async function lintAll() {
  const waiting = packages.map(({ manifest }) => join(folder, tarballOf(manifest)));
  const lint = async () => {
    for (let tarball = waiting.shift(); tarball !== undefined; tarball = waiting.shift()) {
      await run(['node_modules/publint/src/cli.js', 'run', tarball, '--strict']);
      await run(['node_modules/@arethetypeswrong/cli/dist/index.js', tarball, ...ATTW]);
    }
  };
  await Promise.all([lint(), lint()]);
}

/** Gives what the program printed where it ended well, and notes a fault where it did not. */
function run(args, cwd = ROOT) {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd, timeout: 120_000 }, (error, stdout, stderr) => {
      if (error) faults.push(`node ${args.join(' ')}\n${stdout}${stderr}`);
      resolve(error ? undefined : stdout);
    });
    child.stdin.end();
  });
}

function install() {
  try {
    installTarballs({ folder, tarballs: folder, packages, more: { dependencies: peersOfEntries() } });
  } catch (error) {
    faults.push(error.message);
  }
}

/** In the versions that are tested here. */
function peersOfEntries() {
  const names = Object.values(PEERS_OF_ENTRIES).flat();
  return Object.fromEntries(
    names.map((name) => [name, readJson(`node_modules/${name}/package.json`).version]),
  );
}

/** What a program may import: not the entries that are programs themselves (they have no types), nor Jest's. */
function entries() {
  return packages.flatMap(({ manifest }) =>
    Object.entries(manifest.exports)
      .filter(([path, { types }]) => types !== undefined && !/\/(contracts|jest)$/.test(path))
      .map(([path]) => manifest.name + path.slice(1)),
  );
}

async function tryImports(file, load) {
  for (const entry of entries()) {
    const code = `const names = Object.keys(${load(entry)}); if (names.length === 0) throw new Error('It is empty.');\n`;
    writeFileSync(join(folder, file), code);
    await run([file], folder);
  }
}

/** The declarations of our packages stand on their own; those of others are their makers' business. */
function checkTypes() {
  mkdirSync(join(folder, 'src'));
  const lines = entries().map((entry, index) => `export * as entry${String(index)} from '${entry}';\n`);
  writeFileSync(join(folder, 'src/index.mts'), lines.join(''));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options =
    '--module nodenext --target es2022 --lib es2023 --strict --noEmit --pretty false --types node';
  const roots = ['--typeRoots', join(ROOT, 'node_modules/@types')];
  const { stdout } = spawnSync(process.execPath, [tsc, ...options.split(' '), ...roots, 'src/index.mts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const ours = stdout.split('\n').filter((line) => /^(src|node_modules\/(@adorn|adorn))\//.test(line));
  if (ours.length > 0) faults.push(`The types do not hold in a project of its own:\n${ours.join('\n')}`);
}

async function runCommand() {
  const { manifest } = packages.find(({ manifest }) => manifest.bin?.adorn !== undefined) ?? {};
  if (manifest === undefined) return;
  const said = await run(['node_modules/.bin/adorn', '--version'], folder);
  if (said !== undefined && said.trim() !== manifest.version) {
    faults.push(`\`adorn --version\` says "${said.trim()}", the package ${manifest.version}.`);
  }
}
