/** The longest run of words that is compared as one: a longer quotation has several of them. */
const RUN = 5;

/**
 * What of a value can be recognised where it is quoted: each in lower case. Of a short text or line the whole, if it has two words or
 * more; of a longer one each run of five words; and each word that is not an ordinary one, such as an address, an id or an
 * amount. A single ordinary word, such as the state of an order, is not recognised: it may come from anywhere.
 */
export function* traitsOf(value: string): Generator<string, void, undefined> {
  yield* distinctiveWords(value);
  yield* runsOf(value);
  // Each line is a text of its own; before it may stand its number.
  if (value.includes('\n')) for (const line of value.split('\n')) yield* runsOf(line.replace(/^\d+\t/, ''));
}

function* runsOf(text: string): Generator<string, void, undefined> {
  const words = wordsOf(text);
  if (words.length >= 2 && words.length <= RUN) yield words.join(' ');
  for (let end = RUN + 1; end <= words.length; end++) yield words.slice(end - RUN, end).join(' ');
  if (words.length > RUN) yield words.slice(0, RUN).join(' ');
}

/** Everything in a text that may be a trait of a value: its distinctive words, and its runs of two to five words. */
export function* quotationsIn(text: string): Generator<string, void, undefined> {
  yield* distinctiveWords(text);
  const words = wordsOf(text);
  for (let start = 0; start < words.length; start++)
    for (let end = start + 2; end <= Math.min(start + RUN, words.length); end++)
      yield words.slice(start, end).join(' ');
}

/** The words of a text with one space between, in lower case. */
export function inWords(text: string): string {
  return wordsOf(text).join(' ');
}

/** The trait of a value whose name says that it is a secret: it may be an ordinary word. */
export function* secretIn(value: string): Generator<string, void, undefined> {
  const word = value.trim().toLowerCase();
  if (word.length >= SHORTEST_SECRET) yield `=${word}`;
}

/** Everything in a text that may be the trait of a secret: the text, and each word with and without its punctuation. */
export function* secretsIn(text: string): Generator<string, void, undefined> {
  yield* secretIn(text);
  for (const [word] of text.matchAll(/\S+/g)) {
    yield* secretIn(word);
    yield* secretIn(word.replace(EDGES, ''));
  }
}

const SHORTEST_SECRET = 4;
/** Punctuation around a word. */
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** The words of a text, without punctuation, in lower case. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** What stands between spaces, quotes and brackets; and the parts of it, as of the address of a page. */
function* distinctiveWords(text: string): Generator<string, void, undefined> {
  for (const [whole] of text.toLowerCase().matchAll(/[^\s"'`<>()[\]{}|]+/g)) {
    const word = whole.replace(EDGES, '');
    if (isDistinctive(word)) yield numberOf(word) ?? word;
    for (const part of word.split(/[^\p{L}\p{N}@._-]+/u))
      if (part !== word && isDistinctive(part)) yield numberOf(part) ?? part;
  }
}

/** True for addresses, ids and amounts; false for ordinary words, short numbers and days. */
function isDistinctive(word: string): boolean {
  if (word.length < 5 || DAY.test(word)) return false;
  if (/\d/.test(word)) return numberOf(word)?.length !== 4;
  return /[@_]|\p{L}\.\p{L}{2}|:\/\//u.test(word);
}

const DAY = /^\d{4}-\d{2}-\d{2}|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/;

/** A number without the marks between its digits; undefined for another word. `84,000.00` and `84.000` are `84000`. */
function numberOf(word: string): string | undefined {
  if (!/^\d[\d.,'’]*$/.test(word)) return undefined;
  const digits = word.replace(/[.,'’](?=\d{3}(?:\D|$))/g, '').replace(',', '.');
  return digits.replace(/\.0+$/, '');
}
