import 'reflect-metadata';

import type { ClassReference } from './class-metadata.js';

/** Something a class has the container give it. */
export interface Injection {
  /** The member that gets it, for errors that name it. */
  readonly member: string;
  readonly token: unknown;
  readonly isOptional: boolean;
}

/** Where every copy of inversify 8 keeps what it knows of a class. */
const CLASS = '@inversifyjs/core/classMetadataReflectKey';
const IS_INJECTABLE = '@inversifyjs/core/classIsInjectableFlagReflectKey';

interface Element {
  readonly optional?: boolean;
  readonly value?: unknown;
}

interface ClassElements {
  readonly constructorArguments: readonly (Element | undefined)[];
  readonly properties: ReadonlyMap<string | symbol, Element>;
}

/** Whether some copy of inversify has marked the class itself as injectable: marking it twice throws. */
export function isMarkedInjectable(target: ClassReference): boolean {
  return Reflect.getOwnMetadata(IS_INJECTABLE, target) === true;
}

/** What the container has to give an injectable class, by constructor and by property. */
export function injectionsOf(target: ClassReference): Injection[] {
  const elements = Reflect.getOwnMetadata(CLASS, target) as ClassElements | undefined;
  if (elements === undefined) return [];
  const { constructorArguments, properties } = elements;
  return [
    ...constructorArguments.map((element, index) =>
      toInjection(`constructor parameter ${String(index + 1)}`, element),
    ),
    ...[...properties].map(([name, element]) => toInjection(String(name), element)),
  ].filter(({ token }) => token !== undefined);
}

/** The first constructor parameter that says nothing of what it wants, counted from 1: it would silently get nothing. */
export function unclearParameterOf(target: ClassReference): number | undefined {
  const elements = Reflect.getOwnMetadata(CLASS, target) as ClassElements | undefined;
  for (let index = 0; index < target.length; index++) {
    if (elements?.constructorArguments[index] === undefined) return index + 1;
  }
  return undefined;
}

function toInjection(member: string, element: Element | undefined): Injection {
  return { member, token: unwrapLazy(element?.value), isOptional: element?.optional ?? false };
}

/** inversify wraps an identifier that is not known yet when the class is read. */
export function unwrapLazy(value: unknown): unknown {
  const isLazy =
    typeof value === 'object' && value !== null && 'unwrap' in value && typeof value.unwrap === 'function';
  return isLazy ? (value as { unwrap: () => unknown }).unwrap() : value;
}
