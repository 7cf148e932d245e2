import {
  AdornError,
  type ClassReference,
  defineSlot,
  isObject,
  optionNames,
  readMetadata,
  readOwnMetadata,
  shown,
  sourceName,
  unknownOption,
  updateOwnMetadata,
} from '@adorn/schema';

import type { ApproverFacts, ApproverRule } from '../approvals/approver-rule.js';
import { noteDeclarationSites } from '../metadata/declaration-site.js';
import { tokensOf } from '../metadata/injection-metadata.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { ToolContext } from './tool-context.js';
import {
  type AnyMethod,
  type MethodCure,
  type MethodDescriptor,
  refuseStandardCall,
  type StandardDecoratorCall,
  TOOLS,
} from './tool.decorator.js';
import type { ToolTraits } from './tool-traits.js';

/** A result as the log has it: a `Date` is a text, and what a generator returns is its result. */
export type Receipt<Result> =
  Result extends AsyncGenerator<unknown, infer Returned>
    ? Receipt<Returned>
    : Result extends Date
      ? string
      : Result extends AnyMethod
        ? never
        : Result extends object
          ? { [Key in keyof Result]: Receipt<Result[Key]> }
          : Result;

/** The result of a method, as its undo gets it. */
export type ReceiptOf<Method> = Method extends (...args: never[]) => infer Result
  ? Receipt<Awaited<Result>>
  : never;

/** The options of `@undo`. All are optional. Functions get what the method gets: the result, and the context. */
export interface UndoOptions<Result = never> extends Pick<
  ToolTraits,
  'auth' | 'checkTimeout' | 'exposeErrors' | 'retry' | 'sensitive' | 'timeout'
> {
  /** The name of the undo in the log. Default: the method's name in snake_case. */
  readonly name?: string;
  /** Shown to people. Default: which tool it undoes. */
  readonly description?: string;
  /** Default: `write`. `destructive` asks for confirmation unless `confirm` is set. */
  readonly effect?: 'write' | 'destructive';
  /** Whether to ask a person before it runs; a string is the hint, a function decides by the result. Default: only if destructive. */
  readonly confirm?:
    boolean | string | ((result: Result, context: ToolContext) => Awaitable<boolean | string>);
  /** Who may answer its confirmations. Default: who undoes. The approvers of the tool do not count. */
  readonly approvers?:
    ApproverRule | ((result: Result, context: ToolContext, facts: ApproverFacts) => Awaitable<ApproverRule>);
  /** Whether it may run again after it failed or its process ended. Default: false. */
  readonly idempotent?: boolean | ((result: Result, context: ToolContext) => Awaitable<boolean>);
  /** Called before it runs again: returns a value if the call was undone, and undefined if not. */
  readonly reconcile?: (result: Result, context: ToolContext) => unknown;
}

const OPTIONS = optionNames<UndoOptions>({
  approvers: true,
  auth: true,
  checkTimeout: true,
  confirm: true,
  description: true,
  effect: true,
  exposeErrors: true,
  idempotent: true,
  name: true,
  reconcile: true,
  retry: true,
  sensitive: true,
  timeout: true,
});

/** A class with the method that is undone. */
export type UndoneBy<Name extends string> = Readonly<Record<Name, AnyMethod>>;

/** Decorates a method that takes the result of another one of its class. */
export type UndoDecorator<Name extends string> = StandardDecoratorCall<MethodCure> &
  (<Target extends UndoneBy<Name>>(
    prototype: Target,
    method: string | symbol,
    descriptor: MethodDescriptor<(result: ReceiptOf<Target[Name]>, ...rest: never[]) => unknown>,
  ) => void);

/**
 * Makes a method the undo of a `@tool` method of the same class: it gets the result of the call, and the `ToolContext`. No model
 * calls it; `runner.undo` does, and it passes the gates like a tool.
 *
 * @param tool the name of the method that it undoes
 * @example
 * class Expenses {
 *   @tool({ effect: 'write' })
 *   file(cents: number): Filed { … }
 *
 *   @undo('file')
 *   withdraw({ id }: Filed): void { … }
 * }
 * @throws {UndoInvalidError} for options that do not exist, anything but a public method, and a second undo of one tool
 */
export function undo<const Name extends string, Result = never>(
  tool: Name,
  options: UndoOptions<Result> = {},
): UndoDecorator<Name> {
  const decorate = (
    prototype: object,
    method: string | symbol | DecoratorContext,
    descriptor?: PropertyDescriptor,
  ): void => {
    mark(prototype, method, descriptor, { tool, options });
  };
  return decorate as UndoDecorator<Name>;
}

function mark(
  prototype: object,
  method: string | symbol | DecoratorContext,
  descriptor: PropertyDescriptor | undefined,
  { tool, options }: Pick<UndoMetadata, 'tool' | 'options'>,
): void {
  refuseStandardCall('undo', method);
  const owner = prototype.constructor as ClassReference;
  const isStatic = typeof prototype === 'function';
  const place = `${isStatic ? prototype.name : owner.name}.${String(method)}`;
  if (isStatic || typeof method === 'symbol' || typeof descriptor?.value !== 'function')
    throw new UndoInvalidError(place, 'it is no public method of an instance', 'Decorate a method.');
  if (typeof tool !== 'string' || tool === '')
    throw new UndoInvalidError(
      place,
      `the tool is ${shown(tool)}`,
      "Pass the name of a method: @undo('file').",
    );
  if (!isObject(options))
    throw new UndoInvalidError(
      place,
      `its options are ${shown(options)}`,
      'Pass an object, such as { confirm: true }.',
    );
  const unknown = unknownOption(options, OPTIONS);
  if (unknown !== undefined) throw new UndoInvalidError(place, unknown.fault, unknown.cure);
  const effect: unknown = options.effect;
  if (effect === 'read')
    throw new UndoInvalidError(place, 'its effect is "read"', 'An undo writes: leave effect out.');
  const other = readOwnMetadata(owner, UNDOS)?.get(tool);
  if (other !== undefined && other.method !== method)
    throw new UndoInvalidError(place, `"${other.method}" undoes "${tool}", too`, 'Remove one of them.');
  const marked = { tool, method, options };
  updateOwnMetadata(owner, UNDOS, (undos) => new Map([...undos, [tool, marked]]));
  noteDeclarationSites(owner);
}

/** What `@undo` recorded for one method. */
export interface UndoMetadata {
  /** The method that it undoes. */
  readonly tool: string;
  readonly method: string;
  readonly options: UndoOptions;
}

/** The undos of a class, by the methods that they undo. One of a subclass takes the place of that of its base. */
const UNDOS = defineSlot<ReadonlyMap<string, UndoMetadata>>({
  name: 'undos',
  empty: () => new Map(),
  overlay: (inherited, own) => new Map([...inherited, ...own]),
});

/** The methods of a class that are undos. */
export function undoMethodsOf(target: ClassReference): readonly string[] {
  return [...readMetadata(target, UNDOS).values()].map(({ method }) => method);
}

/**
 * The undos of a class by the method that each undoes.
 *
 * @throws {UndoInvalidError} if the tool does not exist or has no effect, or the method takes something else
 */
export function undosOf(target: ClassReference): ReadonlyMap<string, UndoMetadata> {
  const undos = readMetadata(target, UNDOS);
  for (const one of undos.values()) checkUndo(target, one);
  return undos;
}

function checkUndo(target: ClassReference, { tool, method }: UndoMetadata): void {
  const place = `${sourceName(target)}.${method}`;
  const tools = readMetadata(target, TOOLS);
  const undone = tools.get(tool);
  if (undone === undefined) {
    const named = [...tools.values()].find(({ options }) => options.name === tool);
    const names = [...tools.keys()].filter((name) => name !== method).join(', ') || 'none';
    throw new UndoInvalidError(
      place,
      `there is no @tool method "${tool}"`,
      named ? `Pass the name of the method: @undo('${named.method}').` : `Its tools are: ${names}.`,
    );
  }
  if (tools.has(method))
    throw new UndoInvalidError(place, 'it is a @tool, too', 'A model must not call it: remove one of them.');
  if (undone.options.effect === 'read')
    throw new UndoInvalidError(
      place,
      `"${tool}" has the effect "read"`,
      'There is nothing to undo: remove it.',
    );
  if (undone.options.longRunning !== undefined && undone.options.longRunning !== false)
    throw new UndoInvalidError(
      place,
      `"${tool}" is longRunning`,
      'What it returns is a handle: undo it where its result arrives.',
    );
  const run: unknown = Reflect.get(target.prototype as object, method);
  const takes = typeof run === 'function' ? run.length : 0;
  const injected = tokensOf(target, method).size;
  if (takes > 2 + injected || tokensOf(target, method).has(0))
    throw new UndoInvalidError(
      place,
      `it takes ${String(takes)} parameters`,
      'It gets the result of the call, the ToolContext, and what @inject names.',
    );
}

/** `@undo` decorates something that undoes nothing. */
export class UndoInvalidError extends AdornError {
  readonly code = 'UNDO_INVALID';

  constructor(place: string, fault: string, cure: string) {
    super(`@undo of ${place} is not valid: ${fault}. ${cure}`);
  }
}
