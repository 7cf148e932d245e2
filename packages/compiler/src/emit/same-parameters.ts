import { EmittedFileError } from '../errors/errors.js';
import { printedPlace } from '../source/place.js';
import { ts } from '../typescript.js';
import { plainMethods } from './emitted-classes.js';

/**
 * Refuses code that was emitted from an older source, as far as its methods' parameters tell.
 *
 * @throws EmittedFileError where a method takes fewer or more parameters, or the same ones in another order
 */
export function requireSameParameters(
  className: string,
  source: ts.ClassLikeDeclaration,
  emitted: ts.ClassLikeDeclaration,
  cure: string,
): void {
  const here = plainMethods(emitted);
  for (const [index, method] of plainMethods(source).entries()) {
    const other = here[index];
    if (other === undefined || isSame(parameterNames(method), other)) continue;
    throw new EmittedFileError(
      `${className}.${method.name.getText()} takes (${parameterNames(method).join(', ')}) at ${printedPlace(method)}, ` +
        `but (${parameterNames(other).join(', ')}) at ${printedPlace(other)}. ${cure}`,
    );
  }
}

/** A compiler may give a parameter another name, and takes those that it leaves out from `arguments`. */
function isSame(source: readonly string[], emitted: ts.MethodDeclaration): boolean {
  const names = parameterNames(emitted);
  if (names.some((name, index) => name !== source[index] && source.includes(name))) return false;
  const isShorter = names.length < source.length && /\barguments\b/.test(emitted.getText());
  return names.length === source.length || isShorter;
}

function parameterNames({ parameters }: ts.MethodDeclaration): string[] {
  const names = parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : '{ … }'));
  return names.filter((name) => name !== 'this');
}
