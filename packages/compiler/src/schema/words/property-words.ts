import type { Words } from '../../docs/doc-comment.js';
import { NO_WORDS } from '../../docs/doc-comment.js';
import { wordsOf } from '../../docs/words-of.js';
import { inheritedDeclarations } from '../../source/inherited-declarations.js';
import { ts } from '../../typescript.js';

/**
 * What is written about a property: at itself, else in the `@param` of a constructor that declares it, else at the
 * property that it overrides or implements.
 */
export function propertyWords(symbol: ts.Symbol, checker: ts.TypeChecker): Words {
  const declarations = symbol.declarations ?? [];
  const own = wordsOf(declarations);
  if (own !== NO_WORDS) return own;
  const parameter = declarations.find(ts.isParameter);
  const constructed = parameter && wordsOf([parameter.parent]).params.get(symbol.name);
  return constructed ?? wordsOf(declarations.flatMap((one) => inheritedDeclarations(one, checker)));
}
