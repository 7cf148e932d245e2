import { literalPattern, type SaidText } from './said-text.js';
import { isMeaningful, stem, tokensOf } from './words.js';

/** Words of asking, which are no part of what is asked for. */
const REQUEST_WORDS = new Set(
  (
    'add ask buy call change check create do fetch find give know leave list look make please put remember run ' +
    'save search see sell send set show start tell today tomorrow under below over above cheap cheaper'
  )
    .split(' ')
    .map(stem),
);

const QUESTION_LIKE =
  /query|question|text|message|note|topic|search|request|prompt|content|body|comment|description|term|keyword|phrase|task|title|summary|input|reason/i;

/** True if a parameter takes the text as it is, rather than a name in it. */
export function isQuestionLike(name: string): boolean {
  return QUESTION_LIKE.test(name);
}

/** A name: words with a capital, of which the first in a sentence counts only where it is no word of asking. */
export function findName(text: SaidText, toolWords: ReadonlySet<string>): string | undefined {
  const names = text.left.matchAll(/\p{Lu}[\p{L}\p{N}'’]*(?:[ /_-]\p{Lu}[\p{L}\p{N}'’]*)*/gu);
  for (const [name] of names) {
    const own = dropFirstWords(name, (word) => !isOwnWord(word, toolWords));
    if (own !== '') return text.take(literally(own));
  }
  return undefined;
}

/** The text without words of requests, of the tool and of the parameter at both ends. */
export function findFreeText(
  name: string,
  text: SaidText,
  toolWords: ReadonlySet<string>,
): string | undefined {
  const afterColon = isQuestionLike(name) ? text.take(/: +(\S[^¦]*)/u) : undefined;
  if (afterColon !== undefined) return trimmed(afterColon);
  const known = new Set([...toolWords, ...tokensOf(name).map(stem)]);
  for (const piece of text.left.split('¦')) {
    const own = dropLastWords(
      dropFirstWords(piece, (word) => !isOwnWord(word, known)),
      (word) => !isOwnWord(word, known),
    );
    if (own !== '') return text.take(literally(own));
  }
  return undefined;
}

function isOwnWord(word: string, toolWords: ReadonlySet<string>): boolean {
  return tokensOf(word).some((token) => isOwnToken(token, toolWords));
}

function isOwnToken(token: string, toolWords: ReadonlySet<string>): boolean {
  return isMeaningful(token) && !toolWords.has(stem(token)) && !REQUEST_WORDS.has(stem(token));
}

function dropFirstWords(text: string, isDropped: (word: string) => boolean): string {
  const words = text.split(/\s+/);
  const first = words.findIndex((word) => !isDropped(word));
  return first < 0 ? '' : trimmed(text.slice(text.indexOf(words[first] ?? '')));
}

function dropLastWords(text: string, isDropped: (word: string) => boolean): string {
  const words = text.split(/\s+/);
  while (words.length > 0 && isDropped(words.at(-1) ?? '')) words.pop();
  return trimmed(words.join(' '));
}

function trimmed(text: string): string {
  return text.trim().replace(/^[\s.,;:!?("'„“]+|[\s.,;:!?)"'”“]+$/gu, '');
}

function literally(text: string): RegExp {
  return new RegExp(literalPattern(text).replace(/\s+/g, String.raw`\s+`), 'u');
}
