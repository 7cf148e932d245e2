import { defineParameterSlot, noteParameter } from '../metadata/parameter-metadata.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { refuseStandardCall } from './refuse-standard-call.js';

/** The options of `@param`. */
export interface ParamOptions {
  /** Said to the model. Default: the `@param` tag of the doc comment. */
  readonly description?: string;
  /** The name shown to the model. Default: the parameter's name. */
  readonly name?: string;
  /** Replaces the schema that is derived from the type. */
  readonly schema?: JsonSchema;
}

export const PARAMS = defineParameterSlot<ParamOptions>('params');

/** Describes a tool's parameter beyond its type and doc comment. */
export function param(described: string | ParamOptions) {
  const options = typeof described === 'string' ? { description: described } : described;
  return (prototype: object, method: string | symbol | undefined, index: number): void => {
    refuseStandardCall('param', method);
    noteParameter(PARAMS, prototype, method, index, options);
  };
}
