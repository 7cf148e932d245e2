import { REPOSITORY } from './folders.js';

/** The file that a program on a page is taken from, or the sample whose output a terminal shows. */
export interface Listing {
  readonly language: string;
  readonly href: string;
  /** Above the code. `SOURCE` admits no character that HTML has to escape. */
  readonly caption: string;
}

/** The words behind the language of a fence: `ts file=samples/…/a.ts`, `console of=samples/…`. */
const SOURCE = /^(\S+) (file|of)=([\w./@-]+)$/;

/** @param info what stands behind the three backticks. @returns undefined if it names no file */
export function findListing(info: string): Listing | undefined {
  const [, language, kind, path] = SOURCE.exec(info.trim()) ?? [];
  if (language === undefined || path === undefined) return undefined;
  return { language, href: REPOSITORY + path, caption: kind === 'of' ? `Output of ${path}` : path };
}
