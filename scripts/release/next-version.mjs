import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

import { listWorkspaces } from '../setup/workspace.mjs';
import { publishedNames } from '../surface/renames.mjs';

const CHANGELOG = 'packages/adorn/CHANGELOG.md';
const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-[\da-z]+(?:\.\d+)?)?$/;

/** The version that all packages have. @throws {Error} if they differ */
export function currentVersion() {
  const versions = new Set(listWorkspaces().map(({ manifest }) => manifest.version));
  const [version] = versions;
  if (versions.size !== 1)
    throw new Error(`The packages have several versions: ${[...versions].join(', ')}.`);
  return version;
}

/**
 * Why the version cannot be released from here; empty if it can.
 *
 * @returns {string[]} sentences with what to do
 */
export function faultsOf(next) {
  const faults = [];
  const current = currentVersion();
  if (!VERSION.test(next))
    faults.push(`${next} is no version: pass three numbers, such as 0.2.0 or 0.2.0-rc.1.`);
  else if (!isHigher(next, current))
    faults.push(`${next} is not higher than ${current}, which the packages have.`);
  const log = readFileSync(CHANGELOG, 'utf8');
  if (!/\S/.test(sectionOf(log, next)))
    faults.push(`${CHANGELOG} has no section "## ${next}" with text: write it first.`);
  if (git('status', '--porcelain') !== '')
    faults.push('There are changes that are not committed: commit or stash them.');
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main') faults.push(`The branch is ${branch}: releases are made of main.`);
  if (git('tag', '--list', `v${next}`) !== '') faults.push(`There is a tag v${next} already.`);
  return faults;
}

/**
 * The files that state the version, with their texts for the next one: manifests, what packages ask of each other, and the
 * constants `VERSION` of sources; and the public names of the build, which the next release is held against.
 *
 * @returns {{ path: string, text: string }[]}
 */
export function changesFor(next) {
  const current = currentVersion();
  const names = new Set(listWorkspaces().map(({ manifest }) => manifest.name));
  const manifests = listWorkspaces().map(({ folder, manifest }) => ({
    path: `${folder}/package.json`,
    text: `${JSON.stringify(nextManifest(manifest, names, next), null, 2)}\n`,
  }));
  const sources = git('grep', '-lF', current, '--', 'packages/*.ts', 'scripts/*.mjs')
    .split('\n')
    .filter((path) => path !== '')
    .map((path) => ({ path, before: readFileSync(path, 'utf8') }))
    .map(({ path, before }) => ({ path, before, text: nextSource(before, current, next) }))
    .filter(({ before, text }) => text !== before);
  return [...manifests, ...sources.map(({ path, text }) => ({ path, text })), publishedNames()];
}

/** Writes the changes, brings the lock file along, and makes the commit and the tag. */
export function commitVersion(next, changes) {
  for (const { path, text } of changes) writeFileSync(path, text);
  run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']);
  git('commit', '--all', '--quiet', '--message', `release: ${next}`);
  git('tag', '--annotate', `v${next}`, '--message', next);
}

/** Packages ask each other for this version exactly, and users' installations for it or a compatible one. */
function nextManifest(manifest, names, next) {
  const changed = { ...manifest, version: next };
  for (const field of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'])
    if (manifest[field])
      changed[field] = Object.fromEntries(
        Object.entries(manifest[field]).map(([name, range]) => [
          name,
          names.has(name) ? range.replace(/^(\^?)\d.*$/, `$1${next}`) : range,
        ]),
      );
  return changed;
}

function nextSource(text, current, next) {
  return text
    .replaceAll(`VERSION = '${current}'`, `VERSION = '${next}'`)
    .replaceAll(`'^${current}'`, `'^${next}'`);
}

function isHigher(next, current) {
  const numbers = (version) => VERSION.exec(version).slice(1, 4).map(Number);
  const [one, other] = [numbers(next), numbers(current)];
  const at = one.findIndex((number, index) => number !== other[index]);
  return at === -1 ? current.includes('-') && next !== current : one[at] > other[at];
}

function sectionOf(log, version) {
  const [, section = ''] = log.split(`\n## ${version}\n`);
  return section.split('\n## ')[0];
}

function git(...args) {
  return run('git', args).trim();
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  // git grep ends with 1 where it finds nothing.
  if (error || (status !== 0 && !(args[0] === 'grep' && status === 1)))
    throw new Error(`${command} ${args.join(' ')} failed: ${stderr || String(error)}`);
  return stdout;
}
