import type { JsonSchema } from '@adorn/core';
import type { ParamOptions } from '@adorn/core/backend';

import { positionals } from '../../extract/injected-kind.js';
import { constantOf } from '../../source/constant.js';
import { findDecorator } from '../../source/decorators.js';
import { type Property, propertyOf } from '../../source/literals.js';
import { ts } from '../../typescript.js';

/** The options of `@tool`, `defineTool` or `@param`, as far as the source determines them. */
export interface ToldOptions {
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: JsonSchema;
  readonly schema?: JsonSchema;
  /** True also if the source does not show the value. */
  readonly untrusted: boolean;
  readonly sensitive: boolean;
  readonly confidential: boolean;
  readonly outside: boolean;
  /** `destructive` or `sensitive`, if it is one of these and does not say who may approve its calls. */
  readonly unapproved?: 'destructive' | 'sensitive';
  /** True if there is a schema that is known only at run time. */
  readonly hidesSchema: boolean;
}

/** The first of several options objects that has a property decides it: the override's come before the base's. */
export function toldOptions(checker: ts.TypeChecker, ...options: Options[]): ToldOptions {
  const [name, description] = ['name', 'description'].map((key) => textOf(options, key, checker));
  const parameters = schemaOf(options, 'parameters', checker);
  const schema = schemaOf(options, 'schema', checker);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
    ...(schema !== undefined && { schema }),
    untrusted: mayBeTrue(options, 'untrusted', checker),
    sensitive: mayBeTrue(options, 'sensitive', checker),
    confidential: mayBeTrue(options, 'confidential', checker),
    outside: mayBeTrue(options, 'outside', checker),
    ...unapprovedOf(options, checker),
    hidesSchema: parameters === undefined && firstProperty(options, 'parameters', checker) !== undefined,
  };
}

/** A call that never asks has nobody who approves it. */
function unapprovedOf(options: readonly Options[], checker: ts.TypeChecker): Pick<ToldOptions, 'unapproved'> {
  if (firstProperty(options, 'approvers', checker)) return {};
  if (valueOf(options, 'sensitive', checker) === true) return { unapproved: 'sensitive' };
  const isDestructive = valueOf(options, 'effect', checker) === 'destructive';
  const asks = valueOf(options, 'confirm', checker) !== false;
  return isDestructive && asks ? { unapproved: 'destructive' } : {};
}

type Options = ts.Expression | undefined;

function textOf(options: readonly Options[], key: string, checker: ts.TypeChecker): string | undefined {
  const value = valueOf(options, key, checker);
  return typeof value === 'string' ? value : undefined;
}

function schemaOf(options: readonly Options[], key: string, checker: ts.TypeChecker): JsonSchema | undefined {
  const value = valueOf(options, key, checker);
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : undefined;
}

function mayBeTrue(options: readonly Options[], key: string, checker: ts.TypeChecker): boolean {
  if (!firstProperty(options, key, checker)) return false;
  return valueOf(options, key, checker) !== false;
}

function valueOf(options: readonly Options[], key: string, checker: ts.TypeChecker): unknown {
  const property = firstProperty(options, key, checker);
  if (!property || ts.isMethodDeclaration(property)) return undefined;
  return constantOf(property, checker)?.value;
}

function firstProperty(
  options: readonly Options[],
  key: string,
  checker: ts.TypeChecker,
): Property | undefined {
  for (const one of options) {
    const property = propertyOf(one, key, checker);
    if (property) return property;
  }
  return undefined;
}

/** The options of `@param` by parameter index, as far as the source determines them. */
export function paramOptions(
  callable: ts.SignatureDeclaration,
  checker: ts.TypeChecker,
): ReadonlyMap<number, ParamOptions> {
  const entries = positionals(callable).flatMap((parameter, index): [number, ParamOptions][] => {
    const argument = findDecorator(parameter, 'param', checker)?.args[0];
    return argument ? [[index, toOptions(argument, checker)]] : [];
  });
  return new Map(entries);
}

function toOptions(argument: ts.Expression, checker: ts.TypeChecker): ParamOptions {
  const text = constantOf(argument, checker)?.value;
  return typeof text === 'string' ? { description: text } : toldOptions(checker, argument);
}
