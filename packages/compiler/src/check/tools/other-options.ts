import type { AdornError } from '@adorn/core';
import {
  AGENT_OPTION_NAMES,
  AGENT_TOOL_OPTION_NAMES,
  AgentConfigInvalidError,
  agentOptionsFault,
  agentToolOptionsFault,
  PARAM_OPTION_NAMES,
  paramOptionsError,
  ToolConfigInvalidError,
  WRAPPER_OPTION_NAMES,
  wrapperOptionsFault,
} from '@adorn/core/compiler';

import { nameOfClass } from '../../extract/find-classes.js';
import { declaredNameOf, findDecorator, isOfProject } from '../../source/decorators.js';
import { followed } from '../../source/followed.js';
import { UNKNOWN, type WrittenOptions, writtenOptions } from '../../source/written-options.js';
import { ts } from '../../typescript.js';
import type { FoundOptions } from './found-options.js';

/** The options in a file of other things than tools: of agents, of agents as tools, of wrappers, and of parameters. */
export function otherOptionsIn(file: ts.SourceFile, checker: ts.TypeChecker): FoundOptions[] {
  const found: (FoundOptions | undefined)[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) found.push(ofCall(node, checker));
    if (ts.isClassLike(node)) found.push(ofAgentClass(node, checker));
    if (ts.isParameter(node)) found.push(ofParameter(node, checker));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.filter((one) => one !== undefined);
}

/** What core throws for options; those that are unknown are not checked. */
type ErrorOf = (values: WrittenOptions, unknown: ReadonlySet<string>) => AdornError | undefined;

/** How the options of a call are read. */
interface Maker {
  /** Which argument they are. */
  readonly index: number;
  readonly names: ReadonlySet<string>;
  readonly errorOf: ErrorOf;
  /** True if no option depends on another: the types are then enough for those that are not known. */
  readonly isTyped?: boolean;
}

const MAKERS: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  [
    'agentTool',
    {
      index: 1,
      names: AGENT_TOOL_OPTION_NAMES,
      errorOf: (values, unknown) => {
        const wrong = agentToolOptionsFault(values, unknown);
        return wrong && new ToolConfigInvalidError(values['name'], wrong.fault, wrong.cure);
      },
    },
  ],
  [
    'withOptions',
    {
      index: 1,
      names: WRAPPER_OPTION_NAMES,
      errorOf: (values, unknown) => {
        const wrong = wrapperOptionsFault(values, unknown);
        return wrong && new ToolConfigInvalidError(undefined, wrong.fault, wrong.cure);
      },
    },
  ],
  [
    'defineAgent',
    {
      index: 0,
      names: AGENT_OPTION_NAMES,
      isTyped: true,
      errorOf: (values, unknown) => errorOfAgent(textOr(values['name'], 'defineAgent'), values, unknown),
    },
  ],
]);

function ofCall(call: ts.CallExpression, checker: ts.TypeChecker): FoundOptions | undefined {
  const name = declaredNameOf(call.expression, checker) ?? '';
  const maker = MAKERS.get(name);
  const options = maker && call.arguments[maker.index];
  if (!maker || !options || isOfProject(call.expression, checker)) return undefined;
  const values = writtenOptions(options, maker.names, checker);
  return foundWith({ node: call, origin: `${name}(…)`, values }, maker.errorOf, maker.isTyped);
}

function ofAgentClass(node: ts.ClassLikeDeclaration, checker: ts.TypeChecker): FoundOptions | undefined {
  const options = findDecorator(node, 'agent', checker)?.args[0];
  if (!options) return undefined;
  const origin = nameOfClass(node) ?? '(anonymous)';
  const values = writtenOptions(options, AGENT_OPTION_NAMES, checker);
  return foundWith({ node, origin, values }, (known, unknown) => errorOfAgent(origin, known, unknown), true);
}

/** `@param` of a text has no options. */
function ofParameter(node: ts.ParameterDeclaration, checker: ts.TypeChecker): FoundOptions | undefined {
  const options = findDecorator(node, 'param', checker)?.args[0];
  if (!options || !ts.isObjectLiteralExpression(followed(options, checker))) return undefined;
  const method = node.parent.name?.getText() ?? '';
  const values = writtenOptions(options, PARAM_OPTION_NAMES, checker);
  return foundWith(
    { node, origin: `@param of ${method}`, values },
    (known, unknown) => paramOptionsError(known, method, unknown),
    true,
  );
}

function errorOfAgent(
  name: string,
  values: WrittenOptions,
  unknown: ReadonlySet<string>,
): AdornError | undefined {
  const wrong = agentOptionsFault(values, unknown);
  return wrong && new AgentConfigInvalidError(name, wrong.fault, wrong.cure);
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' ? value : other;
}

function foundWith(
  written: Pick<FoundOptions, 'node' | 'origin' | 'values'>,
  errorOf: ErrorOf,
  isTyped = false,
): FoundOptions {
  const unknown = Object.keys(written.values).filter((option) => written.values[option] === UNKNOWN);
  const error = errorOf(written.values, new Set(unknown));
  return { ...written, unknown: isTyped ? [] : unknown, ...(error && { error }) };
}
