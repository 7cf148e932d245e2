import type { JsonSchema } from '../schema/json-schema.js';
import type { ExplicitSchema } from '../schema/standard/standard-schema.js';
import { FunctionTool, type FunctionToolFields } from './function.tool.js';

/** A function tool that returns a handle now and whose result comes in a later message: `longRunning: true`. */
export class LongRunningFunctionTool<
  Schema extends ExplicitSchema = JsonSchema,
> extends FunctionTool<Schema> {
  constructor(fields: FunctionToolFields<Schema>) {
    super({ ...fields, longRunning: true });
  }
}
