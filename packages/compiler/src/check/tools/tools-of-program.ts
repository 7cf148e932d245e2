import { nameOfClass } from '../../extract/find-classes.js';
import { findFunctions, type FoundFunction } from '../../extract/find-functions.js';
import { toolMembers } from '../../extract/callable.js';
import type { CheckerContext } from '../../schema/checker-context.js';
import { baseClassOf } from '../../source/inheritance.js';
import { constantOf } from '../../source/constant.js';
import { findDecorator } from '../../source/decorators.js';
import { type Property, propertyOf } from '../../source/literals.js';
import { ts } from '../../typescript.js';
import { type FoundTool, nameFaults } from './found-tool.js';
import { toldOptions } from './tool-options.js';
import { toolOfCallable, toolOfMember } from './tool-of-callable.js';

/** The tools of a program, each looked at once. */
export class ToolsOfProgram {
  private readonly classes = new Map<ts.ClassLikeDeclaration, readonly FoundTool[]>();
  private readonly listed = new Map<ts.ClassLikeDeclaration, readonly FoundTool[]>();
  private readonly files = new Map<ts.SourceFile, ReadonlyMap<ts.Expression, FoundTool>>();

  constructor(readonly world: CheckerContext) {}

  /** The tools that a class itself declares or overrides. */
  declaredBy(node: ts.ClassLikeDeclaration): readonly FoundTool[] {
    const known = this.classes.get(node);
    if (known) return known;
    const name = nameOfClass(node) ?? '(anonymous)';
    const found = toolMembers(node, this.world.checker).map((member) =>
      toolOfMember(name, member, this.world),
    );
    this.classes.set(node, found);
    return found;
  }

  /** The tools of a class: an override takes the position of the overridden method. */
  offeredBy(node: ts.ClassLikeDeclaration): readonly FoundTool[] {
    const base = baseClassOf(node, this.world.checker);
    const inherited = base ? this.offeredBy(base) : [];
    const own = this.declaredBy(node);
    const overridden = new Set(own.map(methodOf));
    return [...inherited.filter((tool) => !overridden.has(methodOf(tool))), ...own];
  }

  /** The tools of a class as an agent has them that lists it: under the prefix of its `@toolbox`. */
  listedFrom(node: ts.ClassLikeDeclaration): readonly FoundTool[] {
    const known = this.listed.get(node);
    if (known) return known;
    const tools = this.offeredBy(node);
    const option = toolboxOption(node, 'prefix', this.world.checker);
    const prefix =
      !option || ts.isMethodDeclaration(option) ? undefined : constantOf(option, this.world.checker)?.value;
    const listed =
      typeof prefix === 'string' ? tools.map((tool) => ({ ...tool, name: `${prefix}_${tool.name}` })) : tools;
    this.listed.set(node, listed);
    return listed;
  }

  /** The functions that a file offers, by the call of `defineTool` or the entry of an agent's tools. */
  functionsOf(file: ts.SourceFile): ReadonlyMap<ts.Expression, FoundTool> {
    const known = this.files.get(file);
    if (known) return known;
    const functions = findFunctions(file, this.world);
    const found = new Map(functions.map((one) => [one.offered, this.functionTool(one, functions)]));
    this.files.set(file, found);
    return found;
  }

  private functionTool(one: FoundFunction, all: readonly FoundFunction[]): FoundTool {
    const tool = toolOfFunction(one, this.world);
    return { ...tool, faults: [...tool.faults, ...nameFaults(one, 'functions', all)] };
  }
}

function methodOf({ origin }: FoundTool): string {
  return origin.slice(origin.lastIndexOf('.') + 1);
}

/** A function that `defineTool` or an agent offers, as the tool that it makes. */
function toolOfFunction(found: FoundFunction, world: CheckerContext): FoundTool {
  const tool = toolOfCallable(found, toldOptions(world.checker, optionsOf(found)), world);
  const isOwn = !found.node.getSourceFile().isDeclarationFile;
  return isOwn ? tool : { ...tool, ...placedAt(found.offered, tool) };
}

/** The options of the call: `defineTool(fn, options)`, or `defineTool({ run, … })`. */
function optionsOf({ offered, takesWhole = false }: FoundFunction): ts.Expression | undefined {
  if (!ts.isCallExpression(offered)) return undefined;
  return offered.arguments[takesWhole ? 0 : 1];
}

/** A function of another package is spoken of where it is offered. */
function placedAt(node: ts.Node, { parameters, faults }: FoundTool): Partial<FoundTool> {
  return {
    node,
    parameters: parameters.map((parameter) => ({ ...parameter, node })),
    faults: faults.map((fault) => ({ ...fault, node })),
  };
}

/** An option of a service's `@toolbox`, its own or inherited. */
export function toolboxOption(
  service: ts.ClassLikeDeclaration,
  name: string,
  checker: ts.TypeChecker,
): Property | undefined {
  const said = lineage(service, checker).map((one) =>
    propertyOf(findDecorator(one, 'toolbox', checker)?.args[0], name, checker),
  );
  return said.findLast((value) => value !== undefined);
}

/** A class and those that it extends, the topmost first. */
export function lineage(node: ts.ClassLikeDeclaration, checker: ts.TypeChecker): ts.ClassLikeDeclaration[] {
  const base = baseClassOf(node, checker);
  return base ? [...lineage(base, checker), node] : [node];
}
