import type { ClassReference } from '../metadata/class-metadata.js';
import type { DerivedParameter, DerivedTool } from '../schema/derived-class.js';
import type { ArgumentSource } from './bind-arguments.js';
import { Reviver, type RevivalParts } from './revival/reviver.js';

/** A parameter that something else than a service fills: all of a function's are. */
export type PlainParameter = Exclude<DerivedParameter, { readonly kind: 'service' }>;

/** Where a parameter gets its value, with what is made of it. */
export function derivedSource(parameter: PlainParameter, parts: RevivalParts): ArgumentSource {
  if (parameter.kind !== 'argument' && parameter.kind !== 'arguments') return parameter;
  const { revive, ...source } = parameter;
  return revive === undefined ? source : { ...source, revive: new Reviver(revive, parts) };
}

/** What the plans of one tool share. */
export function revivalParts(
  { revivals, parametersJsonSchema: { $defs } }: DerivedTool,
  classes: ReadonlyMap<string, ClassReference>,
): RevivalParts {
  return { plans: revivals ?? {}, classes, definitions: $defs === undefined ? {} : { $defs } };
}
