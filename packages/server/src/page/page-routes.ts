import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, resolve, sep } from 'node:path';

import type { Hono } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import { addressOf } from '../access/sign-in.js';

/** Where the build of the studio puts the page: the folder `page` of this package. */
export function studioFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@adorn/server/package.json')), 'page');
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.map': 'application/json',
};

const SECURITY = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data: blob:; media-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; " +
    "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/**
 * Serves a built page at the root of a server. Paths under `/assets/` have hashes in their names and are cached for good. To a browser that
 * opens one, every other path without an extension is the page itself, which reads its state from the address; a script
 * that requests such a path gets 404.
 *
 * @param root the path of the server, such as `/agents`; empty for the root of the origin
 * @param folder with an `index.html`
 */
export function pageRoutes(
  app: Hono<ServerEnv>,
  { root, folder }: { readonly root: string; readonly folder: string },
): void {
  const files = resolve(folder);
  app.get('*', async (c, next) => {
    const given = c.req.path.slice(root.length) || '/';
    // The page finds its files and the server from its own address on.
    const address = new URL(addressOf(c), c.req.url);
    if (given === '/' && !address.pathname.endsWith('/'))
      return c.redirect(`${address.pathname}/${address.search}`);
    const isOpened = given === '/' || c.req.header('accept')?.includes('text/html') === true;
    const path = isOpened && extname(given) === '' ? '/index.html' : given;
    const file = await fileAt(files, path);
    if (file === undefined) return next();
    const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    return c.body(file, 200, { 'content-type': type, 'cache-control': cache, ...SECURITY });
  });
}

/**
 * Serves the built page of adk-web at `/dev-ui/`. It runs scripts of its own document and WebAssembly, which draws graphs.
 *
 * @param folder `dist/browser` of `@google/adk-devtools`
 */
export function adkPageRoutes(app: Hono<ServerEnv>, folder: string): void {
  const root = resolve(folder);
  app.get('/', (c) => c.redirect('/dev-ui/'));
  // The page asks for themes of code that its package does not have.
  for (const theme of ['light', 'dark'])
    app.get(`/dev-ui/prism-${theme}.css`, (c) => c.body('', 200, { 'content-type': 'text/css' }));
  app.get('/dev-ui/assets/config/runtime-config.json', (c) => c.json({ backendUrl: '' }));
  app.get('/dev-ui/*', async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    if (pathname === '/dev-ui') return c.redirect(`/dev-ui/${search}`);
    const given = c.req.path.slice('/dev-ui'.length);
    const path = extname(given) === '' ? '/index.html' : given;
    const file = await fileAt(root, path);
    if (file === undefined) return next();
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    return c.body(file, 200, {
      'content-type': type,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
  });
}

/** The bytes of a file in the folder; undefined if there is none. */
async function fileAt(root: string, path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = join(root, path);
  if (!file.startsWith(root + sep)) return undefined;
  try {
    return new Uint8Array(await readFile(file));
  } catch {
    return undefined;
  }
}
