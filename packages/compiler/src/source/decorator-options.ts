import { ExperimentalDecoratorsMissingError } from '../errors/errors.js';
import type { Project } from '../program/read-project.js';
import { ts } from '../typescript.js';
import { findDecorator } from './decorators.js';
import { printedPlace } from './place.js';

const ON_CLASSES = ['agent', 'toolbox', 'remembered'];

/** The error of a project whose sources are decorated, and whose tsconfig lacks `experimentalDecorators`. */
export function decoratorFault(
  { path, config }: Project,
  files: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
): ExperimentalDecoratorsMissingError | undefined {
  if (path === undefined || config.options.experimentalDecorators === true) return undefined;
  for (const file of files) {
    const decorated = firstDecorated(file, checker);
    if (decorated) return new ExperimentalDecoratorsMissingError(path, printedPlace(decorated));
  }
  return undefined;
}

function firstDecorated(node: ts.Node, checker: ts.TypeChecker): ts.Decorator | undefined {
  const found = ts.isClassLike(node) ? decoratorIn(node, checker) : undefined;
  return found ?? ts.forEachChild(node, (child) => firstDecorated(child, checker));
}

function decoratorIn(node: ts.ClassLikeDeclaration, checker: ts.TypeChecker): ts.Decorator | undefined {
  const ofClass = ON_CLASSES.map((name) => findDecorator(node, name, checker));
  const ofMembers = node.members.map((member) => findDecorator(member, 'tool', checker));
  return [...ofClass, ...ofMembers].find((call) => call !== undefined)?.node;
}
