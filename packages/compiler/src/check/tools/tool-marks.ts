import { nameOfClass } from '../../extract/find-classes.js';
import { findDecorator } from '../../source/decorators.js';
import { overriddenDeclarations } from '../../source/inheritance.js';
import { ts } from '../../typescript.js';

/** `@tool` on a method, or on a method that it overrides. */
export interface ToolMark {
  readonly member: ts.Node;
  /** `Orders.find`. */
  readonly origin: string;
  readonly decorator: ts.Decorator;
  readonly options: ts.Expression | undefined;
}

/** All `@tool` decorators that apply to a method, nearest first: its own, then those of base classes. */
export function toolMarks(member: ts.ClassElement, checker: ts.TypeChecker): ToolMark[] {
  return [member, ...overriddenDeclarations(member, checker)].flatMap((declaration) => {
    const call = findDecorator(declaration, 'tool', checker);
    if (!call) return [];
    const origin = originOf(declaration);
    return [{ member: declaration, origin, decorator: call.node, options: call.args[0] }];
  });
}

function originOf(declaration: ts.Declaration): string {
  const { parent } = declaration;
  const className = ts.isClassLike(parent) ? nameOfClass(parent) : undefined;
  const name = ts.getNameOfDeclaration(declaration);
  const text = name && 'text' in name ? name.text : name?.getText();
  return `${className ?? '(anonymous)'}.${text ?? ''}`;
}
