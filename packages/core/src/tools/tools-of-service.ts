import {
  present,
  baseOf,
  type ClassReference,
  parameterTypes,
  readMetadata,
  type DerivedParameter,
  type DerivedTool,
  type DerivedRecords,
  sourceName,
  type JsonSchema,
  resolveParameterClasses,
} from '@adorn/schema';
import { injectedMethodsOf, tokensOf } from '../metadata/injection-metadata.js';
import type { ArgumentSource } from './bind-arguments.js';
import {
  type CallableShape,
  derivedShape,
  derivedSource,
  explicitShape,
  type ExplicitTool,
  hydrationParts,
  type ToolOverrides,
} from './callable.tool.js';
import { MethodTool, toService, withServices } from './method.tool.js';
import { InjectionMisplacedError, InjectionStaleError, SchemaStaleError } from './errors.js';
import { type ParamOptions, PARAMS, type ToolMetadata, TOOLS } from './tool.decorator.js';
import { toolNameOf } from './tool-table.js';
import { undoMethodsOf, undosOf } from './undo.decorator.js';
import { undoTool } from './undo.tool.js';

/** True if a class has `@tool` methods. */
export function hasTools(target: ClassReference): boolean {
  return readMetadata(target, TOOLS).size > 0;
}

/** The tool methods of a class whose schemas are derived, each with the class that declares it. */
export function methodsToDerive(target: ClassReference): [ClassReference, string][] {
  const derived = [...readMetadata(target, TOOLS).values()].filter(
    ({ options }) => options.parameters === undefined,
  );
  return derived.flatMap(({ method }) =>
    declarersOf(target, method).map((declarer): [ClassReference, string] => [declarer, method]),
  );
}

/** The `@tool` methods of a service as tools, in the order of their decorators. */
export function toolsOfService(service: object, records: DerivedRecords): MethodTool[] {
  const target = service.constructor as ClassReference;
  const marked = readMetadata(target, TOOLS);
  refuseInjectionOutsideTools(target, new Set([...marked.keys(), ...undoMethodsOf(target)]));
  const undos = undosOf(target);
  return [...marked.values()].map((one) => {
    const tool = toMethodTool(service, target, one, records);
    const undo = undos.get(one.method);
    if (undo) tool.undoneBy = undoTool(service, target, { ...undo, undone: tool.name });
    return tool;
  });
}

function toMethodTool(
  service: object,
  target: ClassReference,
  { method, options: overrides }: ToolMetadata,
  records: DerivedRecords,
): MethodTool {
  const { name = toolNameOf(method) } = overrides;
  const options = { ...overrides, name };
  const { parameters } = options;
  const shape =
    parameters === undefined
      ? methodShape(target, method, options, records)
      : explicitShape(explicitTool(target, method, options), parameters);
  return new MethodTool({ target: service, method, options, shape });
}

function explicitTool(
  target: ClassReference,
  method: string,
  { name, description = '' }: ToolOverrides,
): ExplicitTool {
  return {
    name,
    description,
    origin: `${sourceName(target)}.${method}`,
    insertServices: (sources) => withServices(sources, target, method),
  };
}

function methodShape(
  target: ClassReference,
  method: string,
  options: ToolOverrides,
  records: DerivedRecords,
): CallableShape {
  const derived = derivedTool(target, method, records);
  const params = readMetadata(target, PARAMS).get(method);
  const isDerived = ![...(params?.values() ?? [])].some(({ schema }) => schema !== undefined);
  const renamed = withParamOptions(derived, params);
  const services = servicesOf(target, method, renamed.parameters);
  requireFreshRecord(target, method, derived);
  const emitted = parameterTypes(target.prototype as object, method);
  const classes = resolveParameterClasses(`${sourceName(target)}.${method}`, derived, emitted);
  const parts = hydrationParts(derived, classes);
  const sources = renamed.parameters.map((parameter, index) =>
    parameter.kind === 'service' ? services(index) : derivedSource(parameter, parts),
  );
  return { ...derivedShape(options, renamed, sources), isDerived };
}

/** The record of a method. An override without a description inherits that of the overridden method. */
function derivedTool(target: ClassReference, method: string, records: DerivedRecords): DerivedTool {
  const found = declarersOf(target, method).map((declarer) => records.get(declarer)?.tools[method]);
  const [own, ...inherited] = found;
  if (own === undefined) throw new SchemaStaleError(sourceName(target), method);
  const description =
    own.description ?? inherited.find((base) => base?.description !== undefined)?.description;
  return present({ ...own, description });
}

/** The classes that declare the method, the most derived first. */
function declarersOf(target: ClassReference, method: string): ClassReference[] {
  const declarers: ClassReference[] = [];
  for (let current: ClassReference | undefined = target; current !== undefined; current = baseOf(current)) {
    if (Object.hasOwn(current.prototype as object, method)) declarers.push(current);
  }
  return declarers;
}

/** Applies the options of `@param` to a derived tool, by parameter index. */
export function withParamOptions(
  derived: DerivedTool,
  params: ReadonlyMap<number, ParamOptions> = new Map(),
): DerivedTool {
  if (params.size === 0) return derived;
  const names = new Map<string, ParamOptions>();
  const parameters = derived.parameters.map((parameter, index) => {
    const options = params.get(index);
    if (options === undefined || !('name' in parameter)) return parameter;
    names.set(parameter.name, options);
    return { ...parameter, name: options.name ?? parameter.name };
  });
  const parametersJsonSchema = renameProperties(derived.parametersJsonSchema, names);
  const initialized = derived.initialized?.map((name) => names.get(name)?.name ?? name);
  return present({ ...derived, parameters, parametersJsonSchema, initialized });
}

function renameProperties(schema: JsonSchema, options: ReadonlyMap<string, ParamOptions>): JsonSchema {
  const newName = (name: string): string => options.get(name)?.name ?? name;
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(
    ([name, property]) => [newName(name), describeProperty(property, options.get(name))] as const,
  );
  const required = schema['required'] as readonly string[] | undefined;
  return present({
    ...schema,
    properties: Object.fromEntries(properties),
    required: required?.map(newName),
  });
}

function describeProperty(property: JsonSchema, options: ParamOptions | undefined): JsonSchema {
  const schema = options?.schema ?? property;
  return options?.description === undefined ? schema : { ...schema, description: options.description };
}

/** @throws {InjectionMisplacedError} if `@inject` decorates a parameter of a method that is not a tool */
function refuseInjectionOutsideTools(target: ClassReference, tools: ReadonlySet<string>): void {
  const misplaced = injectedMethodsOf(target).find((method) => !tools.has(method));
  if (misplaced !== undefined) throw new InjectionMisplacedError(target.name, misplaced);
}

/**
 * Finds the service of an injected parameter, by its index.
 *
 * @throws {InjectionStaleError} if the record and the code differ
 */
function servicesOf(
  target: ClassReference,
  method: string,
  parameters: readonly DerivedParameter[],
): (index: number) => ArgumentSource {
  const tokens = tokensOf(target, method);
  const injected = parameters.flatMap(({ kind }, index) => (kind === 'service' ? [index] : []));
  for (const index of new Set([...tokens.keys(), ...injected])) {
    const isInjected = tokens.has(index);
    if (isInjected !== injected.includes(index))
      throw new InjectionStaleError(target.name, method, index, isInjected);
  }
  return (index) => toService(tokens.get(index));
}

/**
 * Refuses a record whose parameters differ from those of the running code. Not checked in production, where code is
 * minified.
 *
 * @throws {SchemaStaleError}
 */
export function requireFreshRecord(target: ClassReference, method: string, derived: DerivedTool): void {
  if (process.env['NODE_ENV'] === 'production') return;
  const written = writtenParameters((target.prototype as Record<string, unknown>)[method], method);
  if (written === undefined || isOf(derived.parameters, written)) return;
  throw new SchemaStaleError(sourceName(target), method, {
    recorded: derived.parameters.map((one) => nameOf(one) ?? one.kind),
    running: written.names,
  });
}

/** For code that a build tool may have changed, only an additional parameter counts as a difference. */
function isOf(recorded: readonly DerivedParameter[], { names, ...text }: WrittenParameters): boolean {
  if (names.length > recorded.length) return false;
  if (text.isMinified || text.readsArguments) return true;
  const known = recorded.map(nameOf);
  const isMoved = names.some((name, index) => name !== known[index] && known.includes(name));
  return names.length === recorded.length && !isMoved;
}

function nameOf(parameter: DerivedParameter): string | undefined {
  return 'name' in parameter ? parameter.name : undefined;
}

/** The parameters of a method, read from its source text. */
interface WrittenParameters {
  readonly names: readonly string[];
  /** True if the code may be minified: names may be changed, and parameters left out. */
  readonly isMinified: boolean;
  /** True if the body reads `arguments`, as code compiled for old engines does. */
  readonly readsArguments: boolean;
}

/** The head of a method whose parameter list has no nested brackets, templates or comments. */
const HEAD = /^(?:async\s*)?(?:\*\s*)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*\(([^()[\]{}`/]*)\)(\s*)\{/u;

const PARAMETER =
  /^(?:\.\.\.)?([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\s*=\s*(?:'[^'\\]*'|"[^"\\]*"|[\w.$-]+))?$/u;

/**
 * Reads the parameters from the source text of a method. Undefined if they are too complex, and for a function by
 * which another decorator or a test has replaced the method.
 */
export function writtenParameters(run: unknown, method: string): WrittenParameters | undefined {
  if (typeof run !== 'function') return undefined;
  const text = Function.prototype.toString.call(run);
  const [head, name, list = '', gap = ''] = HEAD.exec(text) ?? [];
  if (head === undefined || name !== method) return undefined;
  const names = list.trim() === '' ? [] : list.split(',').map((part) => PARAMETER.exec(part.trim())?.[1]);
  if (!names.every((one) => one !== undefined)) return undefined;
  return { names, isMinified: gap === '', readsArguments: /\barguments\b/.test(text) };
}
