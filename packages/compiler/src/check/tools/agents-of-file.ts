import { nameOfClass } from '../../extract/find-classes.js';
import { classNamedBy } from '../../source/inheritance.js';
import { declaredNameOf, findDecorator } from '../../source/decorators.js';
import { entriesOf, propertyOf } from '../../source/literals.js';
import { searchedEntries } from '../../source/searched-entries.js';
import { followed } from '../../source/followed.js';
import { ts } from '../../typescript.js';
import type { FoundAgent, FoundTool } from './found-tool.js';
import { instructionIn } from './instruction-of-agent.js';
import { toldOptions } from './tool-options.js';
import { lineage, toolboxOption, type ToolsOfProgram } from './tools-of-program.js';

/** The agents of a file, by `@agent` and by `defineAgent`, with every tool that their sources name. */
export function agentsOfFile(file: ts.SourceFile, tools: ToolsOfProgram): FoundAgent[] {
  const { checker } = tools.world;
  const found: FoundAgent[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node) && findDecorator(node, 'agent', checker)) found.push(agentOfClass(node, tools));
    if (ts.isCallExpression(node) && declaredNameOf(node.expression, checker) === 'defineAgent')
      found.push(definedAgent(node, tools));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/**
 * An agent adds its tools to those of the classes it extends.
 *
 * @param above the agents above it, in which it does not stand once more
 */
function agentOfClass(
  node: ts.ClassLikeDeclaration,
  tools: ToolsOfProgram,
  above: readonly ts.Node[] = [],
): FoundAgent {
  const { checker } = tools.world;
  const written = lineage(node, checker).map((one) => findDecorator(one, 'agent', checker)?.args[0]);
  const listed = written.map((options) => toolsListedIn(options, tools));
  return {
    name: nameOfClass(node) ?? '(anonymous)',
    node,
    tools: unique([...tools.offeredBy(node), ...listed.flatMap((one) => one.tools)]),
    boxed: listed.reduce((sum, { boxed }) => sum + boxed, 0),
    hasMore: listed.some(({ hasMore }) => hasMore),
    subAgents: written.flatMap((options) => subAgentsIn(options, tools, [...above, node])),
    ...instructionIn(written[0], checker),
  };
}

function subAgentsIn(
  options: ts.Expression | undefined,
  tools: ToolsOfProgram,
  above: readonly ts.Node[],
): FoundAgent[] {
  const { checker } = tools.world;
  const list = propertyOf(options, 'subAgents', checker);
  if (!list || ts.isMethodDeclaration(list)) return [];
  return entriesOf(list, checker).flatMap((entry) => {
    const node = classNamedBy(entry, checker);
    if (node) return above.includes(node) ? [] : [agentOfClass(node, tools, above)];
    const call = followed(entry, checker);
    const isDefined = ts.isCallExpression(call) && declaredNameOf(call.expression, checker) === 'defineAgent';
    return isDefined && !above.includes(call) ? [definedAgent(call, tools, above)] : [];
  });
}

function definedAgent(
  node: ts.CallExpression,
  tools: ToolsOfProgram,
  above: readonly ts.Node[] = [],
): FoundAgent {
  const [options] = node.arguments;
  const { name = 'defineAgent(…)' } = toldOptions(tools.world.checker, options);
  const listed = toolsListedIn(options, tools);
  const subAgents = subAgentsIn(options, tools, [...above, node]);
  const instruction = instructionIn(options, tools.world.checker);
  return { name, node, ...listed, tools: unique(listed.tools), subAgents, ...instruction };
}

/** The tools of the entries of `tools`; incomplete if an entry, or the list, cannot be read. */
function toolsListedIn(
  options: ts.Expression | undefined,
  tools: ToolsOfProgram,
): Pick<FoundAgent, 'tools' | 'boxed' | 'hasMore'> {
  const { checker } = tools.world;
  const list = propertyOf(options, 'tools', checker);
  if (!list || ts.isMethodDeclaration(list)) return { tools: [], boxed: 0, hasMore: list !== undefined };
  const written = entriesOf(list, checker).flatMap((entry) => withSearched(entry, checker));
  const entries = written.map(({ entry, isClosed }) => ({ tools: toolsOfEntry(entry, tools), isClosed }));
  const named = (closed: boolean): FoundTool[] =>
    unique(entries.filter(({ isClosed }) => isClosed === closed).flatMap((entry) => entry.tools ?? []));
  const open = new Set(named(false));
  const isList = ts.isArrayLiteralExpression(followed(list, checker));
  return {
    tools: entries.flatMap((entry) => entry.tools ?? []),
    boxed: named(true).filter((tool) => !open.has(tool)).length,
    hasMore: !isList || entries.some((entry) => entry.tools === undefined),
  };
}

/** An entry, or those of `searchable(…)`. */
function withSearched(
  entry: ts.Expression,
  checker: ts.TypeChecker,
): readonly { readonly entry: ts.Expression; readonly isClosed: boolean }[] {
  const searched = searchedEntries(entry, checker);
  if (searched) return searched.map((one) => ({ entry: one, isClosed: true }));
  return [{ entry, isClosed: isBox(entry, checker) }];
}

/** True for a class with `@toolbox({ unfold: true })`, its own or inherited. */
function isBox(entry: ts.Expression, checker: ts.TypeChecker): boolean {
  const service = classNamedBy(entry, checker);
  return (
    service !== undefined && toolboxOption(service, 'unfold', checker)?.kind === ts.SyntaxKind.TrueKeyword
  );
}

function toolsOfEntry(entry: ts.Expression, tools: ToolsOfProgram): readonly FoundTool[] | undefined {
  const { checker } = tools.world;
  const service = classNamedBy(entry, checker);
  if (service) return isAgent(service, checker) ? undefined : tools.listedFrom(service);
  const written = followed(entry, checker);
  const offered = [entry, written].flatMap((one) => tools.functionsOf(one.getSourceFile()).get(one) ?? []);
  return offered.length > 0 ? offered.slice(0, 1) : undefined;
}

/** True for an agent, which is one tool, declared when the program runs. */
function isAgent(service: ts.ClassLikeDeclaration, checker: ts.TypeChecker): boolean {
  return lineage(service, checker).some((one) => findDecorator(one, 'agent', checker) !== undefined);
}

function unique(tools: readonly FoundTool[]): FoundTool[] {
  return [...new Set(tools)];
}
