import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { InstalledPackages } from './installed-packages.mjs';
import { tarballOf } from './tarballs.mjs';

/**
 * An npm registry on loopback that has our packages, as `packInto` packed them into the folder, and sends every other
 * request on to the registry at `upstream`. Without `upstream` it has what is installed here, and no network is needed. An
 * install from it is what a user's install will be once they are published. Of several packages with one name, the last is
 * the latest version.
 *
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function startRegistry({ folder, packages, upstream }) {
  const installed = upstream === undefined ? new InstalledPackages(folder) : undefined;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.slice(1).split('?')[0]);
    const ours = packages.filter(({ manifest }) => manifest.name === path);
    if (ours.length > 0) return sendJson(response, packumentOf(path, ours, folder, url));
    if (path.startsWith('-/ours/'))
      return response.end(readFileSync(join(folder, path.slice('-/ours/'.length))));
    if (installed !== undefined) return sendInstalled(installed, path, response, url);
    response.writeHead(307, { location: new URL(request.url, upstream).href }).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String(server.address().port)}/`;
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers from what is installed here; npm does without optional packages that are not. */
function sendInstalled(installed, path, response, url) {
  if (path.startsWith('-/installed/'))
    return response.end(installed.tarball(path.slice('-/installed/'.length)));
  const packument = installed.packument(path, url);
  if (packument === undefined) return response.writeHead(404).end('{}');
  return sendJson(response, packument);
}

/** What npm reads to choose a version. */
function packumentOf(name, packages, folder, url) {
  const versions = packages.map(({ manifest }) => versionOf(manifest, folder, url));
  const latest = packages.at(-1).manifest.version;
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) };
}

function versionOf(manifest, folder, url) {
  const file = tarballOf(manifest);
  const integrity = `sha512-${createHash('sha512')
    .update(readFileSync(join(folder, file)))
    .digest('base64')}`;
  const dist = { tarball: `${url}-/ours/${file}`, integrity };
  return [manifest.version, { ...manifest, dist }];
}

function sendJson(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
