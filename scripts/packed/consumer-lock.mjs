import { readJson } from '../setup/workspace.mjs';

/**
 * A lock file for a project that installs our tarballs: everything of others in the versions that our own lock file
 * has, so that it comes from npm's cache and nothing newer is picked. npm drops from it what is not needed.
 */
export function consumerLock(manifest, packages, tarballOf) {
  const ours = Object.fromEntries(packages.map((workspace) => entryOf(workspace, tarballOf)));
  const root = { name: manifest.name, version: manifest.version, dependencies: manifest.dependencies };
  return {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...theirs(packages), ...ours },
  };
}

function entryOf({ manifest }, tarballOf) {
  const { name, version, dependencies, peerDependencies, peerDependenciesMeta, bin, engines, license } =
    manifest;
  const resolved = `file:${tarballOf(manifest)}`;
  const facts = {
    version,
    resolved,
    license,
    dependencies,
    bin,
    engines,
    peerDependencies,
    peerDependenciesMeta,
  };
  return [`node_modules/${name}`, facts];
}

/** What a workspace has for itself moves to below its installed copy. */
function theirs(packages) {
  const found = {};
  for (const [path, entry] of Object.entries(readJson('package-lock.json').packages)) {
    if (entry.link === true) continue;
    const owner = packages.find(({ folder }) => path.startsWith(`${folder}/node_modules/`));
    if (owner !== undefined)
      found[`node_modules/${owner.manifest.name}${path.slice(owner.folder.length)}`] = asUser(entry);
    else if (path.startsWith('node_modules/')) found[path] = asUser(entry);
  }
  return found;
}

/** What only our own work needs is an ordinary package to the one who installs ours. */
function asUser(entry) {
  return { ...entry, dev: undefined, devOptional: undefined };
}
