import type {} from 'reflect-metadata';
import { type ClassReference, defineParameterSlot, readMetadata } from '@adorn/schema';

/** A service that the container gives to a constructor parameter, a property or a parameter of a tool method. */
export interface Injection {
  /** The member that gets it, for error messages. */
  readonly member: string;
  /** The same member as records of the compiler write it: `constructor(0)`, `refund(1)`, or the property's name. */
  readonly place: string;
  readonly token: unknown;
  readonly isOptional: boolean;
  /** True for `@multiInject`, which accepts any number of bindings. */
  readonly isMultiple: boolean;
  /** The name set by `@named`. */
  readonly name: string | number | symbol | undefined;
  readonly tags: Map<string | number | symbol, unknown>;
}

/** The metadata keys of inversify 8, the same in every copy. */
const CLASS = '@inversifyjs/core/classMetadataReflectKey';
const IS_INJECTABLE = '@inversifyjs/core/classIsInjectableFlagReflectKey';

/** The kinds of {@link InjectedElement}, as inversify numbers them. */
const MULTIPLE = 0;
const UNMANAGED = 2;

/** inversify's metadata of one parameter or property. It has no value if only `@optional` or `@named` is set. */
export interface InjectedElement {
  readonly kind: number;
  readonly value?: unknown;
  readonly optional?: boolean;
  readonly name?: Injection['name'];
  readonly tags?: Injection['tags'];
}

interface ClassElements {
  readonly constructorArguments: readonly (InjectedElement | undefined)[];
  readonly properties: ReadonlyMap<string | symbol, InjectedElement>;
}

const NOTHING: ClassElements = { constructorArguments: [], properties: new Map() };

/** True if a copy of inversify has marked the class itself as injectable. Marking it twice throws. */
export function isMarkedInjectable(target: ClassReference): boolean {
  return Reflect.getOwnMetadata(IS_INJECTABLE, target) === true;
}

/** The services that the constructor and the properties of a class get. */
export function injectionsOf(target: ClassReference): Injection[] {
  const { constructorArguments, properties } = elementsOf(target);
  const ofConstructor = [...constructorArguments.entries()].map(([index, element]) =>
    toInjection(memberAt(index), `constructor(${String(index)})`, element),
  );
  const ofProperties = [...properties].map(([name, element]) =>
    toInjection(String(name), String(name), element),
  );
  return [...ofConstructor, ...ofProperties].filter(({ token }) => token !== undefined);
}

/** The first member that does not state its service. Such a constructor parameter would silently get undefined. */
export function unclearMemberOf(target: ClassReference): string | undefined {
  const { constructorArguments, properties } = elementsOf(target);
  const amount = Math.max(target.length, constructorArguments.length);
  for (let index = 0; index < amount; index++) {
    if (isUnclear(constructorArguments[index])) return memberAt(index);
  }
  const [unclear] = [...properties].find(([, element]) => isUnclear(element)) ?? [];
  return unclear === undefined ? undefined : String(unclear);
}

/** @param place empty if no class declares it, as for an argument of a bound factory */
export function toInjection(member: string, place: string, element?: InjectedElement): Injection {
  return {
    member,
    place,
    token: unwrapLazy(element?.value),
    isOptional: element?.optional ?? false,
    isMultiple: element?.kind === MULTIPLE,
    name: element?.name,
    tags: element?.tags ?? new Map<string, unknown>(),
  };
}

/** Unwraps a `LazyServiceIdentifier`. */
function unwrapLazy(value: unknown): unknown {
  const isLazy =
    typeof value === 'object' && value !== null && 'unwrap' in value && typeof value.unwrap === 'function';
  return isLazy ? (value as { unwrap: () => unknown }).unwrap() : value;
}

function elementsOf(target: ClassReference): ClassElements {
  return (Reflect.getOwnMetadata(CLASS, target) as ClassElements | undefined) ?? NOTHING;
}

function isUnclear(element: InjectedElement | undefined): boolean {
  return element === undefined || (element.kind !== UNMANAGED && element.value === undefined);
}

function memberAt(index: number): string {
  return `constructor parameter ${String(index + 1)}`;
}

/** The tokens that `@inject` names before parameters of methods. */
export const METHOD_INJECTIONS = defineParameterSlot<unknown>('method-injections');

/** The tokens of the injected parameters of a tool method, by parameter index. */
export function tokensOf(target: ClassReference, method: string): ReadonlyMap<number, unknown> {
  const tokens = readMetadata(target, METHOD_INJECTIONS).get(method) ?? new Map<number, unknown>();
  return new Map([...tokens].map(([index, token]) => [index, unwrapLazy(token)]));
}

/** The services that the methods of a class get. */
export function methodInjectionsOf(target: ClassReference): Injection[] {
  return [...readMetadata(target, METHOD_INJECTIONS).keys()].flatMap((method) =>
    [...tokensOf(target, method)].map(([index, token]) => ({
      ...toInjection(`parameter ${String(index + 1)} of ${method}`, `${method}(${String(index)})`),
      token,
    })),
  );
}

/** The methods with an injected parameter. */
export function injectedMethodsOf(target: ClassReference): string[] {
  return [...readMetadata(target, METHOD_INJECTIONS).keys()];
}

/** Comments and string literals, which are ignored. */
const QUOTED = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/g;

/** True if the class itself declares a constructor. Read from its source text; there is no other sign at run time. */
export function hasOwnConstructor(target: ClassReference): boolean {
  if (target.length > 0) return true;
  const source = Function.prototype.toString.call(target).replace(QUOTED, '""');
  let depth = 0;
  for (const [found, brace] of source.matchAll(/([{}])|(?<![.\w$])constructor\s*\(/g)) {
    if (brace === '{') depth++;
    else if (brace === '}') depth--;
    else if (found !== '' && depth === 1) return true;
  }
  return false;
}
