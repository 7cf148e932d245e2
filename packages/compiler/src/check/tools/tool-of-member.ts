import { AdornError, toolNameOf } from '@adorn/core';

import { methodWords } from '../../extract/method-words.js';
import { requireToolMethod, type ToolMethod } from '../../extract/tool-method.js';
import type { TypeWorld } from '../../schema/type-world.js';
import { findDecorator } from '../../source/decorators.js';
import { inheritedDeclarations } from '../../source/inherited-declarations.js';
import type { ts } from '../../typescript.js';
import type { FoundTool } from './found-tool.js';
import { type ToldOptions, toldOptions } from './told-options.js';
import { toolOfCallable } from './tool-of-callable.js';

/** A member that is marked `@tool`, or overrides one that is, as the tool that it makes. */
export function toolOfMember(className: string, member: ts.ClassElement, world: TypeWorld): FoundTool {
  const method = methodOf(className, member);
  if (method instanceof AdornError) return misplacedTool(className, member, method);
  const words = methodWords(method.node, world.checker);
  return toolOfCallable({ className, ...method, words }, optionsOf(member, world.checker), world);
}

function methodOf(className: string, member: ts.ClassElement): ToolMethod | AdornError {
  try {
    return requireToolMethod(className, member);
  } catch (error) {
    if (!AdornError.is(error)) throw error;
    return error;
  }
}

function misplacedTool(className: string, member: ts.ClassElement, error: AdornError): FoundTool {
  const name = member.name?.getText() ?? '';
  const faults = [{ node: member, error }];
  return { name: toolNameOf(name), origin: `${className}.${name}`, node: member, parameters: [], faults };
}

/** The options of a method's own decorator, or where it has none those of the method it overrides. */
function optionsOf(member: ts.ClassElement, checker: ts.TypeChecker): ToldOptions {
  const [marked] = [member, ...inheritedDeclarations(member, checker)].flatMap(
    (declaration) => findDecorator(declaration, 'tool', checker) ?? [],
  );
  return toldOptions(marked?.args[0], checker);
}
