import { StorageUrlInvalidError } from '../errors/errors.js';

/** Where a database is, as its URL says. */
export type DatabaseAddress =
  | { readonly dialect: 'sqlite'; readonly path: string }
  | { readonly dialect: 'postgres'; readonly url: string };

const SCHEME = /^([a-z][a-z\d+.-]+):/i;

/**
 * `postgres://…` and `postgresql://…` are a PostgreSQL server; `file:app.db`, a path and `:memory:` are SQLite.
 *
 * @throws {StorageUrlInvalidError}
 */
export function readDatabaseUrl(url: string): DatabaseAddress {
  if (url === '') throw new StorageUrlInvalidError('an empty string');
  if (url === ':memory:') return { dialect: 'sqlite', path: url };
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return { dialect: 'sqlite', path: url };
    case 'file':
      return { dialect: 'sqlite', path: pathOf(url) };
    case 'postgres':
    case 'postgresql':
      return { dialect: 'postgres', url };
    default:
      throw new StorageUrlInvalidError(`the scheme "${scheme}:"`);
  }
}

/** `file:app.db` is relative, `file:///var/app.db` is not. */
function pathOf(url: string): string {
  const path = decodeURIComponent(url.slice('file:'.length).replace(/^\/\/(localhost)?(?=\/)/, ''));
  if (path === '' || path === '//') throw new StorageUrlInvalidError('a file URL without a path');
  return path;
}
