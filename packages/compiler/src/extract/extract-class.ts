import type { DerivedClass } from '@adorn/core/compiler';

import { wordsOf } from '../docs/words-of.js';
import { allOrEveryFault } from '../errors/errors.js';
import type { CheckerContext } from '../schema/checker-context.js';
import { classServicesOf } from './class-services.js';
import { findDecorator } from '../source/decorators.js';
import { extractFields } from './extract-fields.js';
import { type ExtractedTool, extractTool } from './extract-tool.js';
import { type FoundClass, nameOfClass, REMEMBERED } from './find-classes.js';
import { methodWords, requireToolMethod, toolMembers } from './callable.js';

/** The record of a class, with data that is valid only in this process. */
export interface ExtractedClass {
  readonly record: DerivedClass;
  /** The classes of which a method's parameters promise instances: by the method, and then as the record calls them. */
  readonly classes: ReadonlyMap<string, ExtractedTool['classes']>;
}

/**
 * The record of one class: its name, its words, its tools, and its fields if they are remembered.
 *
 * @throws ToolMisplacedError, TypeNotRepresentableError, SchemaInvalidError for a tool that is wrong
 * @throws SeveralFaultsError where several are
 */
export function extractClass({ name, node }: FoundClass, world: CheckerContext): ExtractedClass {
  const ownName = nameOfClass(node);
  const { description } = wordsOf([node]);
  const tools = toolMembers(node, world.checker).map((member) => () => {
    const method = requireToolMethod(name, member);
    const callable = { className: name, ...method, words: methodWords(method.node, world.checker) };
    return [method.name, extractTool(callable, world)] as const;
  });
  const extracted = allOrEveryFault(tools);
  const fields = findDecorator(node, REMEMBERED, world.checker) && extractFields({ name, node }, world);
  const services = classServicesOf(node, world);
  const record = {
    ...(ownName !== undefined && { name: ownName }),
    ...(description !== undefined && { description }),
    ...(Object.keys(services).length > 0 && { services }),
    ...(fields && { fields }),
    tools: Object.fromEntries(extracted.map(([method, { tool }]) => [method, tool])),
  };
  return { record, classes: new Map(extracted.map(([method, { classes }]) => [method, classes])) };
}
