import type { ClassReference } from '../metadata/class-metadata.js';
import type { DerivedParameter, DerivedTool } from '../schema/derived-class.js';
import type { ArgumentSource } from './bind-arguments.js';
import type { CallableShape } from './callable.tool.js';
import { type HydrationParts, Hydrator } from './hydration/hydrator.js';
import { responseSchemaOf } from '../schema/response-schema.js';

/** A tool's name and description as its options state them; they take precedence over the source. */
export interface ToolOverrides {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The shape of a method or function, from its derived record. */
export function derivedShape(
  { name, description }: ToolOverrides,
  derived: DerivedTool,
  sources: readonly ArgumentSource[],
): CallableShape {
  const { responseJsonSchema, initialized } = derived;
  const response = responseJsonSchema && responseSchemaOf(responseJsonSchema);
  const declaration = {
    name,
    description: description ?? derived.description ?? '',
    parametersJsonSchema: derived.parametersJsonSchema,
    ...(response !== undefined && { responseJsonSchema: response }),
  };
  return { declaration, sources, isDerived: true, ownDefaults: new Set(initialized) };
}

/** A parameter that is not an injected service, as all parameters of a function are. */
export type PlainParameter = Exclude<DerivedParameter, { readonly kind: 'service' }>;

/** The source of a parameter's value, with its hydrator. */
export function derivedSource(parameter: PlainParameter, parts: HydrationParts): ArgumentSource {
  if (parameter.kind !== 'argument' && parameter.kind !== 'arguments') return parameter;
  const { revive, ...source } = parameter;
  return revive === undefined ? source : { ...source, hydrator: new Hydrator(revive, parts) };
}

/** The parts shared by the hydration plans of one tool. */
export function hydrationParts(
  { revivals, parametersJsonSchema: { $defs } }: DerivedTool,
  classes: ReadonlyMap<string, ClassReference>,
): HydrationParts {
  return { plans: revivals ?? {}, classes, definitions: $defs === undefined ? {} : { $defs } };
}
