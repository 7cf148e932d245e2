import type { DocComment } from '../docs/doc-comment.js';
import { wordsOf } from '../docs/words-of.js';
import type { ts } from '../typescript.js';
import { inheritedDeclarations } from '../source/inherited-declarations.js';

/**
 * What is written about a method: by its own comment, or where it has none by that of an overload or of the method it
 * overrides. A parameter that the comment passes over has the words that one of the others has for it.
 */
export function methodWords(method: ts.MethodDeclaration, checker: ts.TypeChecker): DocComment {
  const overloads = checker.getSymbolAtLocation(method.name)?.declarations ?? [];
  const places = [...new Set([method, ...overloads, ...inheritedDeclarations(method, checker)])];
  const params = places.toReversed().flatMap((place) => [...wordsOf([place]).params]);
  return { ...wordsOf(places), params: new Map(params) };
}
