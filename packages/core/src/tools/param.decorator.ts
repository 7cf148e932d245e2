import { defineParameterSlot, noteParameter } from '../metadata/parameter-metadata.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { refuseStandardCall } from './refuse-standard-call.js';

/** The options of `@param`. */
export interface ParamOptions {
  /** Said to the model. Default: the `@param` tag of the doc comment. */
  readonly description?: string;
  /** What the model calls it. Default: the parameter's name. */
  readonly name?: string;
  /** The schema where the type is not to be it. */
  readonly schema?: JsonSchema;
}

export const PARAMS = defineParameterSlot<ParamOptions>('params');

/** Says of a tool's parameter what its type and the doc comment do not. */
export function param(described: string | ParamOptions) {
  const options = typeof described === 'string' ? { description: described } : described;
  return (prototype: object, method: string | symbol | undefined, index: number): void => {
    refuseStandardCall('param', method);
    noteParameter(PARAMS, prototype, method, index, options);
  };
}
