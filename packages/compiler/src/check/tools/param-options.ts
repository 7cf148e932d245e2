import type { ParamOptions } from '@adorn/core';

import { positionals } from '../../extract/injected-kind.js';
import { constantOf } from '../../source/constant.js';
import { findDecorator } from '../../source/decorators.js';
import type { ts } from '../../typescript.js';
import { toldOptions } from './told-options.js';

/** The options of `@param` by parameter index, as far as the source determines them. */
export function paramOptions(
  callable: ts.SignatureDeclaration,
  checker: ts.TypeChecker,
): ReadonlyMap<number, ParamOptions> {
  const entries = positionals(callable).flatMap((parameter, index): [number, ParamOptions][] => {
    const argument = findDecorator(parameter, 'param', checker)?.args[0];
    return argument === undefined ? [] : [[index, toOptions(argument, checker)]];
  });
  return new Map(entries);
}

function toOptions(argument: ts.Expression, checker: ts.TypeChecker): ParamOptions {
  const text = constantOf(argument, checker)?.value;
  return typeof text === 'string' ? { description: text } : toldOptions(checker, argument);
}
