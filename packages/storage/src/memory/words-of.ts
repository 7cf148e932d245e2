/** Limits of searchable text and of queries. */
const SEARCHED = 100_000;
const ASKED = 64;

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Longer runs of letters are no words of a language; both databases refuse very long ones. */
const RUN = /[\p{L}\p{N}\p{M}]{1,100}/gu;

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });

/** The words of a text in order, case-folded and normalised. They contain no query syntax. */
export function wordsOf(text: string): string[] {
  const runs = text.slice(0, SEARCHED).normalize('NFKC').toLowerCase().match(RUN) ?? [];
  return runs.flatMap((run) => (UNSPACED.test(run) ? segmentsOf(run) : [run]));
}

/** The different words that a query asks for. */
export function wordsAsked(query: string): string[] {
  return [...new Set(wordsOf(query))].slice(0, ASKED);
}

function segmentsOf(run: string): string[] {
  return Array.from(SEGMENTER.segment(run), ({ segment }) => segment);
}
