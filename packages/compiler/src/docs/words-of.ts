import { commentText } from './comment-text.js';
import { type DocComment, NO_WORDS, parseDocComment, type Words } from './doc-comment.js';
import type { ts } from '../typescript.js';

/** A comment that says no more than that it says what another says. */
const INHERITED = /^[\s*]*\{@inheritDoc\b[^}]*\}[\s*]*$/i;

/** What is written about a declaration; where it is declared several times, the first that says something. */
export function wordsOf(declarations: readonly ts.Node[] | undefined): DocComment {
  for (const declaration of declarations ?? []) {
    const text = commentText(declaration);
    if (text !== undefined && !INHERITED.test(text)) return placed(parseDocComment(text), declaration);
  }
  return NO_WORDS;
}

function placed(words: DocComment, at: ts.Node): DocComment {
  const params = [...words.params].map(([name, own]): [string, Words] => [name, { ...own, at }]);
  return { ...words, at, params: new Map(params) };
}
