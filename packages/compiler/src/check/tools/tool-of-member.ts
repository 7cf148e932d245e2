import { AdornError } from '@adorn/core';
import { toolNameOf } from '@adorn/core/compiler';

import { methodWords } from '../../extract/method-words.js';
import { requireToolMethod, type ToolMethod } from '../../extract/tool-method.js';
import type { CheckerContext } from '../../schema/checker-context.js';
import type { ts } from '../../typescript.js';
import type { FoundTool } from './found-tool.js';
import { toldOptions } from './told-options.js';
import { toolMarks } from './tool-marks.js';
import { toolOfCallable } from './tool-of-callable.js';
import { toolOverride } from './tool-override.js';

/** A member that is marked `@tool`, or overrides one that is, as the tool that it makes. */
export function toolOfMember(className: string, member: ts.ClassElement, world: CheckerContext): FoundTool {
  const method = methodOf(className, member);
  if (method instanceof AdornError) return misplacedTool(className, member, method);
  const words = methodWords(method.node, world.checker);
  const marks = toolMarks(member, world.checker);
  const told = toldOptions(world.checker, ...marks.map(({ options }) => options));
  const override = toolOverride(member, marks, world.checker);
  const tool = toolOfCallable({ className, ...method, words }, told, world);
  return { ...tool, ...(override !== undefined && { override }) };
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
