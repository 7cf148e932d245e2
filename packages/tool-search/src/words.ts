import { stemOf } from '@adorn/core/backend';

/** A run of letters and digits, also with what divides the words of an identifier. */
const IDENTIFIER = /[\p{L}\p{N}\p{M}]+/gu;

/** Where a word of an identifier ends: `getOrder`, `HTTPServer`. */
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });

/** Words of English that say nothing about an action or its object. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its let me my of on ' +
    'or our please so that the their them then there these they this to us was we were what when where which who will with ' +
    'would you your'
  ).split(' '),
);

/**
 * The words of a text as they are compared: in lower case, without English endings, and without words that say nothing. The words
 * of an identifier are taken apart, and kept as one too: `createIssue` is `create`, `issue` and `createissue`.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.normalize('NFKC').matchAll(IDENTIFIER)) {
    if (UNSPACED.test(run)) words.push(...segmentsOf(run));
    else {
      const parts = run.split(HUMP);
      words.push(...parts);
      if (parts.length > 1) words.push(run);
    }
  }
  return words
    .map((word) => word.toLowerCase())
    .filter((word) => !STOP_WORDS.has(word))
    .map(stemOf);
}

/** A name in words, in lower case: `createIssue` is "create issue". */
export function inWords(name: string): string {
  const runs = name.match(IDENTIFIER) ?? [];
  return runs
    .flatMap((run) => run.split(HUMP))
    .join(' ')
    .toLowerCase();
}

function segmentsOf(run: string): string[] {
  return Array.from(SEGMENTER.segment(run), ({ segment }) => segment);
}
