/** A function that may be a tool as it is. */
export type ToolFunction = (...args: never[]) => unknown;

/** Whether something is a function to call, and no class to make instances of. */
export function isPlainFunction(value: unknown): value is ToolFunction {
  return typeof value === 'function' && !isClass(value);
}

/** A class statement fixes its prototype; where a compiler made a function of it, its methods are on the prototype. */
function isClass(value: object): boolean {
  const prototype = Object.getOwnPropertyDescriptor(value, 'prototype');
  if (prototype === undefined) return false;
  return prototype.writable === false || Object.getOwnPropertyNames(prototype.value).length > 1;
}
