import { EmittedFileError } from '../errors/errors.js';
import type { FoundClass } from '../extract/find-classes.js';
import { printedPlace } from '../source/place.js';
import { ts } from '../typescript.js';
import { type Candidate, Counterparts, EmittedClasses, plainMethods } from './emitted-classes.js';
import type { EmittedFile } from './emitted-file.js';
import { EmittedReferences } from './emitted-references.js';
import type { NamedValue } from './named-value.js';
import type { RecordTarget } from './planned-file.js';
import { shownPath } from '../program/shown-path.js';

/** The cure if an emitted file does not fit its source. */
interface Cures {
  /** It has not one class, or more than one, that can be the source's. */
  readonly classInDoubt: string;
  /** It was made of another source than the present one. */
  readonly otherParameters: string;
}

const TSC: Cures = {
  classInDoubt:
    'Run tsc first, with ES2015 or later as its target, and give classes with equal methods names of their own.',
  otherParameters: 'Run tsc again.',
};

/** The records of a source go into the classes and calls that were emitted for it. */
export class EmittedTarget implements RecordTarget {
  private readonly classes: EmittedClasses;
  private readonly calls: EmittedCalls;
  private readonly references: EmittedReferences;

  constructor(
    source: ts.SourceFile,
    private readonly file: EmittedFile,
    private readonly cures = TSC,
  ) {
    this.classes = new EmittedClasses(source, file.code);
    this.calls = new EmittedCalls(source, file.code);
    this.references = new EmittedReferences(file.code, this.classes);
  }

  /** @throws EmittedFileError where the emitted file does not have the class, as the source has it now */
  classFor({ name, node }: FoundClass): ts.ClassLikeDeclaration {
    const emitted = this.classes.find(node);
    if (!emitted) {
      throw new EmittedFileError(
        `${shownPath(this.file.path)} has no class that certainly matches ${name} of ${printedPlace(node)}. ` +
          this.cures.classInDoubt,
      );
    }
    requireSameParameters(name, node, emitted, this.cures.otherParameters);
    return emitted;
  }

  /** @throws EmittedFileError where the emitted file does not have the call, or it may be another */
  callFor(source: ts.CallExpression): ts.CallExpression {
    const emitted = this.calls.find(source);
    if (emitted) return emitted;
    throw new EmittedFileError(
      `${shownPath(this.file.path)} has no call that certainly matches the one at ${printedPlace(source)}. ` +
        'Run tsc first; call defineTool and defineAgent by these names, each assigned to its own constant.',
    );
  }

  expressionFor(named: NamedValue, place: ts.Node): string | undefined {
    return this.references.find(named, place);
  }
}

/** The calls of a source and the emitted calls, grouped by name. */
class EmittedCalls extends Counterparts<ts.CallExpression> {
  constructor(source: ts.SourceFile, emitted: ts.SourceFile) {
    super(callsIn(source), callsIn(emitted));
  }
}

function callsIn(file: ts.SourceFile): Candidate<ts.CallExpression>[] {
  const imported = importedNames(file);
  const found: Candidate<ts.CallExpression>[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) found.push({ node, likeness: calledName(node.expression, imported) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `defineTool` for `defineTool(…)`, `adorn.defineTool(…)`, `(0, adorn_1.defineTool)(…)` and what imports it by another name. */
function calledName(callee: ts.Expression, imported: ReadonlyMap<string, string>): string {
  if (ts.isParenthesizedExpression(callee)) return calledName(callee.expression, imported);
  if (ts.isBinaryExpression(callee)) return calledName(callee.right, imported);
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isIdentifier(callee) ? (imported.get(callee.text) ?? callee.text) : '';
}

/** Exported names of the other file, by the local names of their imports. */
function importedNames(file: ts.SourceFile): ReadonlyMap<string, string> {
  const bindings = file.statements
    .filter(ts.isImportDeclaration)
    .flatMap(({ importClause }) => importClause?.namedBindings ?? [])
    .filter(ts.isNamedImports);
  return new Map(
    bindings.flatMap(({ elements }) =>
      elements.map(({ name, propertyName }) => [name.text, (propertyName ?? name).text] as const),
    ),
  );
}

/**
 * Refuses code that was emitted from an older source, as far as its methods' parameters tell.
 *
 * @throws EmittedFileError where a method takes fewer or more parameters, or the same ones in another order
 */
function requireSameParameters(
  className: string,
  source: ts.ClassLikeDeclaration,
  emitted: ts.ClassLikeDeclaration,
  cure: string,
): void {
  const here = plainMethods(emitted);
  for (const [index, method] of plainMethods(source).entries()) {
    const other = here[index];
    if (!other || isSame(parameterNames(method), other)) continue;
    throw new EmittedFileError(
      `${className}.${method.name.getText()} takes (${parameterNames(method).join(', ')}) at ${printedPlace(method)}, ` +
        `but (${parameterNames(other).join(', ')}) at ${printedPlace(other)}. ${cure}`,
    );
  }
}

/** A compiler may rename a parameter, and reads omitted parameters from `arguments`. */
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
