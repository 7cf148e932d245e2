import { commentText, type DocComment, NO_WORDS, parseDocComment, type Words } from './doc-comment.js';
import type { ts } from '../typescript.js';

/** A comment that only inherits another one. */
const INHERITED = /^[\s*]*\{@inheritDoc\b[^}]*\}[\s*]*$/i;

/** Types are shared by many tools, and the words about them are asked for with each. */
const known = new WeakMap<ts.Node, DocComment>();

/** The comment of a declaration; of several declarations, the first non-empty one. */
export function wordsOf(declarations: readonly ts.Node[] | undefined): DocComment {
  for (const declaration of declarations ?? []) {
    const words = known.get(declaration) ?? readWords(declaration);
    known.set(declaration, words);
    if (words !== NO_WORDS) return words;
  }
  return NO_WORDS;
}

function readWords(declaration: ts.Node): DocComment {
  const text = commentText(declaration);
  if (text === undefined || INHERITED.test(text)) return NO_WORDS;
  const words = parseDocComment(text);
  const params = [...words.params].map(([name, own]): [string, Words] => [name, { ...own, at: declaration }]);
  return { ...words, at: declaration, params: new Map(params) };
}
