import { wordsOf } from '../docs/words-of.js';
import type { CheckerContext } from '../schema/checker-context.js';
import { constantOf, isFixed, isWrapped } from '../source/constant.js';
import { declarationOf, followed, symbolOf, unwrapped } from '../source/followed.js';
import { declaredNameOf } from '../source/decorators.js';
import { entriesOf, type Property, propertyOf } from '../source/literals.js';
import { searchedEntries } from '../source/searched-entries.js';
import { ts } from '../typescript.js';
import type { Callable } from './callable.js';

/** A function that is a tool, with its name at run time. */
export interface FoundFunction extends Callable {
  /** The call of `defineTool`, or the entry of an agent's tools. */
  readonly offered: ts.Expression;
  /** The call that makes it a tool: of `defineTool`, `defineAgent` or `agent`. */
  readonly call: ts.CallExpression;
  /** The function's name, if `defineTool` uses it as the default name of the tool. */
  readonly ownName?: string;
}

/**
 * The functions whose schemas are derived: arguments of `defineTool`, and bare functions listed in `tools`. A
 * function without a name is omitted: a runner rejects it.
 */
export function findFunctions(file: ts.SourceFile, { checker }: CheckerContext): FoundFunction[] {
  const found: FoundFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) found.push(...functionsOfCall(node, checker));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function functionsOfCall(call: ts.CallExpression, checker: ts.TypeChecker): FoundFunction[] {
  switch (declaredNameOf(call.expression, checker)) {
    case 'defineTool':
      return definedFunction(call, checker) ?? [];
    case 'agent':
    case 'defineAgent':
      return listedFunctions(call, checker);
    default:
      return [];
  }
}

/** The function of `defineTool(fn, options?)` or `defineTool({ name, run })`; undefined if the schema is given. */
function definedFunction(call: ts.CallExpression, checker: ts.TypeChecker): FoundFunction[] | undefined {
  const [first, second] = call.arguments;
  if (!first) return undefined;
  const takesWhole = ts.isObjectLiteralExpression(followed(first, checker));
  const options = takesWhole ? first : second;
  if (propertyOf(options, 'parameters', checker)) return undefined;
  const work = takesWhole ? propertyOf(first, 'run', checker) : first;
  const source = work && functionSource(work, checker);
  if (!source) return undefined;
  const given = constantName(options, checker);
  const name = takesWhole ? given : (source.name ?? given);
  const documented = [...source.documented, ...holdersOf(call)];
  const ownName = takesWhole || source.isTypeOnly ? undefined : source.name;
  const place = { offered: call, call, takesWhole, ...(ownName !== undefined && { ownName }) };
  return foundUnder(name, { ...source, documented }, place);
}

function constantName(options: ts.Expression | undefined, checker: ts.TypeChecker): string | undefined {
  const name = propertyOf(options, 'name', checker);
  const value = name && !ts.isMethodDeclaration(name) ? constantOf(name, checker)?.value : undefined;
  return typeof value === 'string' ? value : undefined;
}

function listedFunctions(call: ts.CallExpression, checker: ts.TypeChecker): FoundFunction[] {
  const tools = propertyOf(call.arguments[0], 'tools', checker);
  if (!tools || ts.isMethodDeclaration(tools)) return [];
  return entriesOf(tools, checker)
    .flatMap((entry) => searchedEntries(entry, checker) ?? [entry])
    .filter((entry) => isPlainFunction(checker.getTypeAtLocation(entry)))
    .flatMap((entry) => {
      const source = functionSource(entry, checker);
      return source ? foundUnder(source.name, source, { offered: entry, call }) : [];
    });
}

/** Classes can be called with `new`, tools cannot be called at all. */
function isPlainFunction(type: ts.Type): boolean {
  return type.getCallSignatures().length > 0 && type.getConstructSignatures().length === 0;
}

function foundUnder(
  name: string | undefined,
  { node, documented }: FunctionSource,
  place: Pick<FoundFunction, 'offered' | 'call' | 'takesWhole' | 'ownName'>,
): FoundFunction[] {
  return name === undefined ? [] : [{ name, node, words: wordsOf(documented), ...place }];
}

/** The function that an expression evaluates to, if the source shows it. */
interface FunctionSource {
  /** Its name at run time; absent if it has none. */
  readonly name?: string;
  /** True if only its type was found; the function, and its name, may differ at each run. */
  readonly isTypeOnly?: true;
  readonly node: ts.SignatureDeclaration;
  /** The nodes that may have its doc comment, the nearest first. */
  readonly documented: readonly ts.Node[];
}

/** Follows constants, properties and imports, in sources and declaration files; undefined if there is no function. */
export function functionSource(property: Property, checker: ts.TypeChecker): FunctionSource | undefined {
  const written = ts.isMethodDeclaration(property) ? property : unwrapped(property);
  if (isFunction(written)) return named(nameGivenTo(written), written, holdersOf(written));
  if (!ts.isIdentifier(written) && !ts.isPropertyAccessExpression(written)) return undefined;
  const declaration = declarationOf(written, checker);
  if (!declaration) return undefined;
  if (isDeclared(declaration)) return declaredFunction(written, declaration, checker);
  if (isFunction(declaration)) return named(nameGivenTo(declaration), declaration, [declaration]);
  const value = valueOf(declaration);
  return (value && functionSource(value, checker)) ?? typedFunction(written, declaration, checker);
}

type DeclaredFunction = ts.FunctionDeclaration | ts.MethodDeclaration;

function isDeclared(node: ts.Node): node is DeclaredFunction {
  return ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
}

type WrittenFunction = ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration;

function isFunction(node: ts.Node): node is WrittenFunction {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isMethodDeclaration(node);
}

/** Of several declarations, such as overloads, the one with the body. */
function declaredFunction(
  written: ts.Expression,
  first: DeclaredFunction,
  checker: ts.TypeChecker,
): FunctionSource | undefined {
  const all = (symbolOf(written, checker)?.declarations ?? []).filter(isDeclared);
  const node = all.find(({ body }) => body !== undefined) ?? first;
  return !node.body && all.length > 1 ? undefined : named(nameGivenTo(node), node, [node, ...all]);
}

/** The function assigned to a constant or readonly property. Others may change. */
function valueOf(declaration: ts.Declaration): ts.Expression | undefined {
  if (ts.isShorthandPropertyAssignment(declaration)) return declaration.name;
  return isFixed(declaration) ? declaration.initializer : undefined;
}

/** A function known only by its type: declared in another package, or returned by a call. Its variable names it. */
function typedFunction(
  written: ts.Identifier | ts.PropertyAccessExpression,
  declaration: ts.Declaration,
  checker: ts.TypeChecker,
): FunctionSource | undefined {
  const [signature, ...more] = checker.getTypeAtLocation(written).getCallSignatures();
  const node = signature?.getDeclaration();
  if (!node || more.length > 0) return undefined;
  const name = ts.getNameOfDeclaration(declaration);
  const kept = name && ts.isIdentifier(name) ? name.text : undefined;
  return { ...named(kept, node, [node, ...holdersOf(declaration)]), isTypeOnly: true };
}

/** Its own name, or that of the variable or property that it is put into where it is written. */
function nameGivenTo(node: WrittenFunction | DeclaredFunction): string | undefined {
  if (node.name) return 'text' in node.name ? node.name.text : undefined;
  const holder = holderOf(node);
  if (!holder || ts.isExportAssignment(holder)) return undefined;
  return 'text' in holder.name ? holder.name.text : undefined;
}

/** The node and its parents: the comment may be before any of them. */
function holdersOf(node: ts.Node): ts.Node[] {
  const holder = holderOf(node);
  const kept = ts.isVariableDeclaration(node) ? node : holder;
  const statement = kept && ts.isVariableDeclaration(kept) ? [kept.parent.parent] : [];
  return [node, ...(holder ? [holder] : []), ...statement];
}

type Holder = ts.VariableDeclaration | ts.PropertyAssignment | ts.PropertyDeclaration | ts.ExportAssignment;

function holderOf({ parent }: ts.Node): Holder | undefined {
  if (isWrapped(parent as ts.Expression)) return holderOf(parent);
  return isHolder(parent) ? parent : undefined;
}

function isHolder(node: ts.Node): node is Holder {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isExportAssignment(node)
  );
}

function named(
  name: string | undefined,
  node: ts.SignatureDeclaration,
  documented: readonly ts.Node[],
): FunctionSource {
  return { ...(name !== undefined && { name }), node, documented };
}
