import { wordsOf } from '../docs/words-of.js';
import type { CheckerContext } from '../schema/checker-context.js';
import { constantOf } from '../source/constant.js';
import { declaredNameOf } from '../source/decorators.js';
import { entriesOf } from '../source/entries-of.js';
import { followed } from '../source/followed.js';
import { propertyOf } from '../source/property-of.js';
import { ts } from '../typescript.js';
import type { Callable } from './callable.js';
import { type FunctionSource, functionSource, holdersOf } from './function-source.js';

/** A function that is a tool, under the name by which it is found when the program runs. */
export interface FoundFunction extends Callable {
  /** The call of `defineTool`, or the entry of an agent's tools. */
  readonly offered: ts.Expression;
  /** The call that makes it a tool: of `defineTool`, `defineAgent` or `agent`. */
  readonly call: ts.CallExpression;
  /** The name that its source gives it, where `defineTool` is to call the tool so unless it is told another. */
  readonly ownName?: string;
}

/**
 * The functions whose schema is to be derived: those that calls of `defineTool` in the file make tools, and those
 * that stand as they are among the tools of its agents. One without a name is left out: a runner refuses it.
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

/** `defineTool(fn, options?)`, or `defineTool({ name, run })`; none where the schema is written. */
function definedFunction(call: ts.CallExpression, checker: ts.TypeChecker): FoundFunction[] | undefined {
  const [first, second] = call.arguments;
  if (first === undefined) return undefined;
  const takesWhole = ts.isObjectLiteralExpression(followed(first, checker));
  const options = takesWhole ? first : second;
  if (propertyOf(options, 'parameters', checker) !== undefined) return undefined;
  const work = takesWhole ? propertyOf(first, 'run', checker) : first;
  const source = work && functionSource(work, checker);
  if (source === undefined) return undefined;
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
  if (tools === undefined || ts.isMethodDeclaration(tools)) return [];
  return entriesOf(tools, checker)
    .filter((entry) => isPlainFunction(checker.getTypeAtLocation(entry)))
    .flatMap((entry) => {
      const source = functionSource(entry, checker);
      return source === undefined ? [] : foundUnder(source.name, source, { offered: entry, call });
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
