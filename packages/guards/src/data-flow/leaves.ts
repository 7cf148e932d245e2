import { isObject, isSecretName } from '@adorn/core/backend';

/** A text or a number within a value. */
export interface Leaf {
  /** The names and indexes that lead to it, such as `to.0`; empty for the value itself. */
  readonly path: string;
  readonly text: string;
  /** True if its name says that it is a secret, such as `password`. */
  readonly isSecret: boolean;
}

/** The texts, numbers and names of properties in the arguments of a call; a name has the path of its object. */
export function* argumentLeaves(args: Readonly<Record<string, unknown>>): Generator<Leaf, void, undefined> {
  yield* leavesOf(args);
  yield* namesOf(args, '');
}

/** True if no value is an object, whose names could say something as well. */
export function isFlat(args: Readonly<Record<string, unknown>>): boolean {
  const isPlainValue = (value: unknown): boolean =>
    Array.isArray(value) ? value.every(isPlainValue) : !isObject(value);
  return Object.values(args).every(isPlainValue);
}

function* namesOf(value: unknown, path: string): Generator<Leaf, void, undefined> {
  if (Array.isArray(value))
    for (const [index, one] of value.entries()) yield* namesOf(one, joined(path, String(index)));
  else if (isObject(value))
    for (const [name, one] of Object.entries(value)) {
      yield { path: path === '' ? name : path, text: name, isSecret: false };
      yield* namesOf(one, joined(path, name));
    }
}

/** The texts and numbers of a value, the names of its properties left out. */
export function* leavesOf(value: unknown, path = '', isSecret = false): Generator<Leaf, void, undefined> {
  if (typeof value === 'string') yield { path, text: value, isSecret };
  else if (typeof value === 'number') yield { path, text: String(value), isSecret };
  else if (Array.isArray(value))
    for (const [index, one] of value.entries()) yield* leavesOf(one, joined(path, String(index)), isSecret);
  else if (isObject(value))
    for (const [name, one] of Object.entries(value))
      yield* leavesOf(one, joined(path, name), isSecret || isSecretName(name));
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
