import { FilePathError } from '../errors.js';

/** Bytes of a path, and of each of its names: what artifact services and file systems take. */
const LONGEST_PATH = 400;
const LONGEST_NAME = 255;

/** How deep files may lie. */
const MOST_FOLDERS = 32;

// eslint-disable-next-line no-control-regex -- they are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Characters that change the order in which a text is shown: a person would read another path. */
const REORDERING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

/** Half of a character, which no file system stores. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Names of devices and other meanings on Windows: `aux.txt`, `a.txt:stream`, `a.txt.`. */
const ON_WINDOWS = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|[<>:"|?*]|[. ]$/i;

const CURE = 'Pass a path from the root of the workspace, such as src/main.ts.';

/**
 * A path of a file in the workspace: names joined by `/`, without `.` and empty names.
 *
 * @param platform whose names are refused in addition. Default: the one of this process
 * @throws {FilePathError} if it leads out of the workspace, is absolute, too long, or has characters that no path may have
 */
export function checkedPath(given: string, platform: string = process.platform): string {
  const refuse = (fault: string): never => {
    throw new FilePathError(given, fault, CURE);
  };
  if (given.includes('\0')) refuse('has a NUL character');
  if (CONTROL.test(given) || REORDERING.test(given)) refuse('has a control character');
  if (LONE_SURROGATE.test(given)) refuse('is no text');
  if (given.includes('\\')) refuse('has a backslash');
  if (given.startsWith('/') || /^[a-z]:/i.test(given)) refuse('is absolute');
  const names = given.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0) refuse('names no file');
  if (names.includes('..')) refuse('leads upwards');
  if (given.endsWith('/')) refuse('names a folder');
  if (names.length > MOST_FOLDERS) refuse(`has more than ${String(MOST_FOLDERS)} folders`);
  if (names.some((name) => Buffer.byteLength(name) > LONGEST_NAME))
    refuse(`has a name of more than ${String(LONGEST_NAME)} bytes`);
  const path = names.join('/');
  if (Buffer.byteLength(path) > LONGEST_PATH) refuse(`has more than ${String(LONGEST_PATH)} bytes`);
  if (platform === 'win32' && names.some((name) => ON_WINDOWS.test(name)))
    refuse('has a name that Windows reserves');
  return path;
}

/**
 * A folder of the workspace; empty for the root.
 *
 * @throws {FilePathError}
 */
export function checkedFolder(given: string): string {
  const path = given.replace(/\/+$/, '');
  return path === '' || path === '.' ? '' : checkedPath(path);
}

/** The form in which two names are the same: accents may be written in two ways. */
export function sameForm(name: string): string {
  return name.normalize('NFC');
}

/** The form in which two names could be mistaken for each other, as file systems without case do. */
export function confusableForm(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
