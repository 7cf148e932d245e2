import { inject as injectByContainer } from 'inversify';

import type { ApproverFacts, ApproverRule } from '../approvals/approver-rule.js';
import {
  present,
  type ClassReference,
  defineParameterSlot,
  defineSlot,
  noteParameter,
  updateOwnMetadata,
  OBJECT,
  optionFault,
  type OptionRules,
  TEXT,
  type JsonSchema,
  type ExplicitSchema,
  type OutputOf,
  type StandardSchema,
} from '@adorn/schema';
import { declarationSites, noteDeclarationSites } from '../metadata/declaration-site.js';
import { METHOD_INJECTIONS } from '../metadata/injection-metadata.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { checkIsOptions } from './check-tool-options.js';
import { ExperimentalDecoratorsMissingError, ToolConfigInvalidError, ToolMisplacedError } from './errors.js';
import type { ToolContext } from './tool-context.js';
import type { ConfirmationPredicate } from './tool-requests.js';
import type { OnceOptions, ToolEffect, ToolTraits } from './tool-traits.js';

/** Any method, whatever its parameters. */
export type AnyMethod = (...args: never[]) => unknown;

/**
 * The arguments of a method as a predicate gets them: bound and validated. Parameters that Adorn fills are `undefined`,
 * except for the `ToolContext`, which has no credential yet. Types cannot tell whether a parameter has `@inject`; such
 * a parameter is `undefined` too.
 */
export type PredicateArguments<Arguments extends readonly unknown[]> = {
  [Index in keyof Arguments]: Arguments[Index] extends AbortSignal ? undefined : Arguments[Index];
};

/** Names the effect of a call by its arguments. */
export type OnceKey<Arguments extends readonly unknown[]> = (
  ...args: PredicateArguments<Arguments>
) => Awaitable<string | number | object | undefined>;

/** {@link OnceOptions}, typed by the arguments of the method. */
export interface TypedOnceOptions<Arguments extends readonly unknown[]> extends OnceOptions {
  /** The key of the effect: a text, a number, or an object of them. */
  readonly key: OnceKey<Arguments>;
}

/** The options of `@tool`. All are optional. */
export interface ToolOptions<Method extends AnyMethod = AnyMethod> extends ToolTraits {
  /** The name the model calls. Default: the method's name in snake_case. */
  readonly name?: string;
  /** The description shown to the model. Default: the method's doc comment. */
  readonly description?: string;
  /**
   * The schema of the arguments, instead of the one derived from the signature: JSON Schema, or a schema of a library
   * such as zod. The method is then called with the arguments as one object (the library's output) and the
   * `ToolContext`.
   */
  readonly parameters?: ExplicitSchema;
  /** Whether to ask a person before a call runs; a string is the hint, a function decides per call. Default: only if destructive. */
  readonly confirm?: boolean | string | ConfirmationPredicate<PredicateArguments<Parameters<Method>>>;
  /**
   * Who may answer the confirmations of its calls: `requester`, `others`, somebody with a role, or a function of the method's
   * arguments, and then `{ requester }`, that returns one of these. If others are named, each call asks unless `confirm` is
   * set, and no approval covers later calls. Default: the requester, and whom the application names by `by` in the same process.
   */
  readonly approvers?:
    | ApproverRule
    | ((
        ...args: [...PredicateArguments<Parameters<Method>>, facts: ApproverFacts]
      ) => Awaitable<ApproverRule>);
  /**
   * What an approval for the session (`remember: 'session'`) covers: later calls for which the function of the method's arguments
   * returns the same text as for the approved one, such as a customer's id, or nothing with `false`. Anything else that it returns
   * covers nothing. Default: all later calls.
   */
  readonly remember?:
    false | ((...args: PredicateArguments<Parameters<Method>>) => Awaitable<string | undefined>);
  /**
   * Whether a call may run again after it failed or its process ended: always, or as a function of the method's
   * arguments decides. The `ToolContext` of that function has no credential. Only `true` lets the call run again; a
   * throw counts as false and is logged. Default: false.
   */
  readonly idempotent?: boolean | ((...args: PredicateArguments<Parameters<Method>>) => Awaitable<boolean>);
  /**
   * The effect of a call, by a key of the domain: `(order) => ({ order })`, or `{ key, scope, ttlMs }`. A later call with the same
   * key, of another turn, session, agent, process or door, gets the first result with `doneBefore`, or is told that the
   * outcome is unknown. Undefined as a key: the call has its effect each time. Default: so has each call.
   */
  readonly once?: OnceKey<Parameters<Method>> | TypedOnceOptions<Parameters<Method>>;
  /**
   * Called with the arguments of the method before a call runs again because its process ended, and before one that is for the
   * effect of an earlier call of unknown outcome: returns the result if that call took effect, and undefined if it did not.
   * Look the call up by `context.idempotencyKey`. Default: only an
   * `idempotent` tool or one with the effect `read` runs again; other calls are answered as of unknown outcome.
   */
  readonly reconcile?: (...args: Parameters<Method>) => unknown;
}

/** A method that takes the output of a library's schema. */
export type SchemaMethod<Schema extends StandardSchema> = (
  args: OutputOf<Schema>,
  context: ToolContext,
) => unknown;

/** The method that a tool needs: one typed by the schema of a library, or any method. */
export type MethodFor<Method extends AnyMethod, Schema extends ExplicitSchema> = Schema extends StandardSchema
  ? SchemaMethod<Schema>
  : Method;

/**
 * The options of `@tool` and `defineTool`, typed by the method and by the schema. One type for both: with an overload
 * for each, TypeScript reports a misspelt option once per overload.
 */
export interface TypedToolOptions<
  Method extends AnyMethod,
  Schema extends ExplicitSchema,
> extends ToolOptions<MethodFor<Method, Schema>> {
  readonly parameters?: Schema;
}

/** The property descriptor of a method. Looser than `TypedPropertyDescriptor`, whose `set` has to match exactly. */
export interface MethodDescriptor<Method extends AnyMethod> {
  /** The method. Absent for an accessor. */
  readonly value?: Method;
}

/**
 * The result of a decorator's call as a standard decorator, which throws. TypeScript prints this type, and with it the
 * cure, at each decorator of a file that is compiled without `experimentalDecorators`.
 */
export interface NoStandardDecorator<Cure extends string> {
  /** What to set in `tsconfig.json`, printed by TypeScript in its error. A type only. */
  readonly cure: Cure;
}

/** The call of a decorator as a standard decorator. */
export type StandardDecoratorCall<
  Cure extends string = 'set experimentalDecorators to true in the compilerOptions of tsconfig.json',
> = (value: unknown, context: DecoratorContext) => NoStandardDecorator<Cure>;

/** TypeScript also prints it for a property, with `experimentalDecorators`. */
export type MethodCure =
  'decorate a method, and set experimentalDecorators to true in the compilerOptions of tsconfig.json';

/** Decorates methods of one type. */
export type ToolDecorator<Method extends AnyMethod> = StandardDecoratorCall<MethodCure> &
  ((prototype: object, method: string | symbol, descriptor: MethodDescriptor<Method>) => void);

/**
 * Offers a method to the model as a tool: its signature is the schema, its doc comment the description.
 *
 * - `@tool forecast(city: string) { … }`
 * - `@tool({ confirm: (city) => city === 'Atlantis' }) evacuate(city: string) { … }`
 * - `@tool({ parameters: z.object({ day: z.iso.date() }) }) rain({ day }: { day: string }) { … }`
 *
 * @throws {ExperimentalDecoratorsMissingError} in a file that was compiled without the option
 * @throws {ToolMisplacedError} on anything but a public method of an instance
 */
export function tool<Method extends AnyMethod, Schema extends ExplicitSchema = JsonSchema>(
  options?: TypedToolOptions<Method, Schema>,
): ToolDecorator<MethodFor<Method, Schema>>;
/**
 * The call of a standard decorator. It throws, and exists so that TypeScript shows the cure at a method of a file
 * that is compiled without `experimentalDecorators`.
 */
export function tool(value: object | undefined, context: DecoratorContext): NoStandardDecorator<MethodCure>;
/** Without options and without parentheses: `@tool forecast(city: string) { … }`. */
export function tool<Method extends AnyMethod>(
  prototype: object,
  method: string | symbol,
  descriptor: MethodDescriptor<Method>,
): void;
export function tool(
  optionsOrPrototype: ToolOptions | object = {},
  method?: string | symbol | DecoratorContext,
  descriptor?: PropertyDescriptor,
): unknown {
  if (method !== undefined) {
    mark(optionsOrPrototype, method, descriptor, {});
    return undefined;
  }
  return (prototype: object, name: string | symbol, itsDescriptor: PropertyDescriptor) => {
    mark(prototype, name, itsDescriptor, optionsOrPrototype);
  };
}

function mark(
  prototype: object,
  method: string | symbol | DecoratorContext,
  descriptor: PropertyDescriptor | undefined,
  options: ToolOptions,
): void {
  refuseStandardCall('tool', method);
  const owner = prototype.constructor as ClassReference;
  if (typeof prototype === 'function') throw new ToolMisplacedError(prototype.name, method, 'is static');
  if (typeof method === 'symbol')
    throw new ToolMisplacedError(owner.name, method, 'has a symbol as its name');
  if (typeof descriptor?.value !== 'function')
    throw new ToolMisplacedError(owner.name, method, 'is not a method');
  checkIsOptions(options, method);
  updateOwnMetadata(owner, TOOLS, (marked) => new Map([...marked, [method, { method, options }]]));
  noteDeclarationSites(owner);
}

/** The options that `@tool` recorded for one method. */
export interface ToolMetadata {
  readonly method: string;
  readonly options: ToolOptions;
}

/** The `@tool` methods of a class by name, so that an override keeps its position and may redeclare its options. */
type MarkedMethods = ReadonlyMap<string, ToolMetadata>;

export const TOOLS = defineSlot<MarkedMethods>({
  name: 'tools',
  empty: () => new Map(),
  overlay: (inherited, own) => {
    const all = new Map(inherited);
    for (const [method, marked] of own) {
      const base = inherited.get(method);
      const options = base ? overrideOptions(base.options, marked.options) : marked.options;
      all.set(method, { method, options });
    }
    return all;
  },
});

/**
 * Merges the options of an overriding method with those of the overridden one. An override may be stricter than the
 * base. It is looser only if explicit: `confirm: false` does not ask, `auth: undefined` needs no credential, and a lower
 * `effect` needs `confirm: false` too.
 */
export function overrideOptions(base: ToolOptions, own: ToolOptions): ToolOptions {
  const { confirm: _confirm, effect: _effect, ...options } = { ...base, ...own };
  const confirm = confirmOf(base, own, options.parameters !== base.parameters);
  const effect = effectOf(base.effect, own);
  return present({ ...options, confirm, effect });
}

const EFFECTS: readonly (ToolEffect | undefined)[] = [undefined, 'read', 'write', 'destructive'];

function effectOf(
  base: ToolEffect | undefined,
  { effect = base, confirm }: ToolOptions,
): ToolEffect | undefined {
  return confirm !== false && EFFECTS.indexOf(effect) < EFFECTS.indexOf(base) ? base : effect;
}

type Confirm = ToolOptions['confirm'];
type Predicate = Exclude<Confirm, boolean | string | undefined>;

/** @param isReshaped true if the arguments have another form, so that the base's predicate cannot read them */
function confirmOf(base: ToolOptions, own: ToolOptions, isReshaped: boolean): Confirm {
  const demanded = isReshaped && typeof base.confirm === 'function' ? true : base.confirm;
  if (own.confirm === undefined) {
    const isRaised = own.effect === 'destructive' && base.effect !== 'destructive';
    return isRaised && demanded === false ? undefined : demanded;
  }
  if (typeof own.confirm !== 'function') return own.confirm;
  const basic = demanded ?? base.effect === 'destructive';
  return basic === false ? own.confirm : eitherAsks(basic, own.confirm);
}

/** Asks if the base or the override asks; the hint of the override takes precedence. */
function eitherAsks(base: boolean | string | Predicate, own: Predicate): Predicate {
  return async (...args) => {
    const demanded = typeof base === 'function' ? await base(...args) : base;
    const asked = await own(...args);
    return asked === false ? demanded : asked;
  };
}

/**
 * Refuses a call as a standard decorator, with a value and a context object. With `experimentalDecorators` the second
 * argument is the member's name, or absent.
 *
 * @throws {ExperimentalDecoratorsMissingError}
 */
export function refuseStandardCall<Second>(
  decorator: string,
  second: Second,
): asserts second is Exclude<Second, DecoratorContext> {
  if (!isDecoratorContext(second)) return;
  const { kind, name } = second;
  const target = name === undefined ? `a ${kind} without a name` : `the ${kind} "${String(name)}"`;
  throw new ExperimentalDecoratorsMissingError(decorator, target, declarationSites()[0]);
}

function isDecoratorContext(value: unknown): value is DecoratorContext {
  return typeof value === 'object' && value !== null && 'kind' in value && 'addInitializer' in value;
}

/** The options of `@param`. */
export interface ParamOptions {
  /** The description shown to the model. Default: the `@param` tag of the doc comment. */
  readonly description?: string;
  /** The name shown to the model. Default: the parameter's name. */
  readonly name?: string;
  /** Replaces the schema that is derived from the type. */
  readonly schema?: JsonSchema;
}

export const PARAMS = defineParameterSlot<ParamOptions>('params');

const PARAM: OptionRules<ParamOptions> = { description: TEXT, name: TEXT, schema: OBJECT };

/** The options of `@param`. */
export const PARAM_OPTION_NAMES: ReadonlySet<string> = new Set(Object.keys(PARAM));

/**
 * What `@param` throws for options that do not exist or have a value of another type.
 *
 * @param unknown the options that are set to something that is not known, and are not checked. Default: all are known
 */
export function paramOptionsError(
  options: unknown,
  method: string,
  unknown?: ReadonlySet<string>,
): ToolConfigInvalidError | undefined {
  const found = optionFault(options, PARAM, unknown);
  return found && new ToolConfigInvalidError(method, `@param: ${found.fault}`, found.cure);
}

/**
 * Describes a tool's parameter beyond its type and doc comment.
 *
 * @throws {AdornError} `TOOL_CONFIG_INVALID` for an option that does not exist or has a value of another type
 */
export function param(described: string | ParamOptions) {
  const options = typeof described === 'string' ? { description: described } : described;
  return (prototype: object, method: string | symbol | undefined, index: number): void => {
    refuseStandardCall('param', method);
    const error = paramOptionsError(options, String(method));
    if (error) throw error;
    noteParameter(PARAMS, prototype, method, index, options);
  };
}

/** A service identifier: a class, abstract or not, a name, or a `LazyServiceIdentifier`. */
export type InjectionToken = Parameters<typeof injectByContainer>[0];

/**
 * Injects a service: into a constructor parameter or a property when the instance is constructed, and into a parameter
 * of a `@tool` method at each call. The model does not see the parameter; a predicate such as `confirm` gets
 * `undefined` for it. Missing bindings are reported when the runner is created.
 *
 * @example
 * class Refunds {
 *   constructor(@inject(Ledger) private readonly ledger: Ledger) {}
 * }
 */
export function inject(
  token: InjectionToken,
): StandardDecoratorCall & MethodDecorator & ParameterDecorator & PropertyDecorator;
export function inject(token: InjectionToken): MethodDecorator & ParameterDecorator & PropertyDecorator {
  const injectIntoInstance = injectByContainer(token);
  return (target: object, member: string | symbol | undefined, place?: number | PropertyDescriptor) => {
    refuseStandardCall('inject', member);
    noteDeclarationSites((typeof target === 'function' ? target : target.constructor) as ClassReference);
    const isOfMethod = typeof place === 'number' && member !== undefined && typeof target !== 'function';
    if (isOfMethod) noteParameter(METHOD_INJECTIONS, target, member, place, token);
    else (injectIntoInstance as Undecided)(target, member, place);
  };
}

/** A decorator of a class member or a parameter. */
type Undecided = (
  target: object,
  member: string | symbol | undefined,
  place?: number | PropertyDescriptor,
) => void;
