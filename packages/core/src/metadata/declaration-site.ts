import { type ClassReference, DECLARATION_SITES, readOwnMetadata, updateOwnMetadata } from '@adorn/schema';

const FRAMES = 16;

/**
 * The location of a stack frame: a path or a file URL, a line, a column. The text before it is a function
 * name.
 */
const PLACE = /(?:\(|\bat (?:async )?)((?:file:\/\/|[A-Za-z]:[\\/]|\/)[^\n]*?):\d+:\d+\)?\s*$/;

/** Code that stands between a decorator and the file that applies it. Vite marks what is in no file by `\0`. */
const BETWEEN =
  /\/node_modules\/(?:@adorn\/|adorn\/|reflect-metadata\/|tslib\/|@swc\/helpers\/|@oxc-project\/runtime\/)|\/\0/;

/** Notes, once per class, where the decorator that runs now stands. */
export function noteDeclarationSites(target: ClassReference): void {
  if ((readOwnMetadata(target, DECLARATION_SITES) ?? []).length > 0) return;
  const sites = declarationSites();
  updateOwnMetadata(target, DECLARATION_SITES, () => sites);
}

/**
 * The file that applies the decorator which is running now: emitted JavaScript or, where a loader maps stacks,
 * its source. Several, the nearest first, where this package was bundled into files of the user's: which of them
 * declares the class is for the reader of their source maps to tell. None where no file of the user's is near, and in
 * production, where nothing is derived.
 */
export function declarationSites(): readonly string[] {
  if (process.env['NODE_ENV'] === 'production') return [];
  return foreignFiles(shortStack());
}

/**
 * The first file in a stack that is neither this package's nor one that decorators pass through. The stack
 * begins in this package: its first frame tells where the package is. Where it was bundled, its code may stand in a
 * file of its own or beside the user's, so every file of the stack counts.
 */
export function foreignFiles(stack: string): readonly string[] {
  const files = stack.split('\n').flatMap((line) => PLACE.exec(line)?.[1] ?? []);
  const paths = files.map(asPath).filter((path) => !BETWEEN.test(forward(path)));
  const own = packageOf(forward(asPath(files[0] ?? '')));
  return own === undefined ? [...new Set(paths)] : paths.filter((path) => !isOwn(path, own)).slice(0, 1);
}

function shortStack(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder);
  Error.stackTraceLimit = limit;
  return holder.stack ?? '';
}

/** `file:///C:/app/x.js` is `C:/app/x.js`; `node:url` is not loaded for it. */
function asPath(place: string): string {
  if (!place.startsWith('file://')) return place;
  const path = decodeURIComponent(place.slice('file://'.length).replace(/[?#].*$/, ''));
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

/** The folder of this package's code; undefined if its code is bundled into another file. */
function packageOf(self: string): string | undefined {
  return /^.*(?=metadata\/declaration-site\.)/.exec(self)?.[0] ?? /^.*\/core\/dist\//.exec(self)?.[0];
}

/** A spec of this package is a user of it. The package below it holds `Reflect.decorate`, which calls decorators. */
function isOwn(path: string, own: string): boolean {
  const below = own.replace(/\/core\/(dist|src)\/$/, '/schema/$1/');
  const file = forward(path);
  return (file.startsWith(own) || file.startsWith(below)) && !/\.spec\.[cm]?[jt]sx?$/.test(path);
}

function forward(path: string): string {
  return path.replaceAll('\\', '/');
}
