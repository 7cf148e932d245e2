import type { JsonSchema } from '../schema/json-schema.js';
import {
  type ExplicitSchema,
  isStandardSchema,
  type StandardSchema,
} from '../schema/standard/standard-schema.js';
import { toJsonSchema } from '../schema/standard/to-json-schema.js';
import type { ArgumentSource } from './bind-arguments.js';
import type { CallableShape } from './callable.tool.js';
import { ToolSchemaInvalidError } from './errors.js';

/** What is declared with a schema that was written. */
export interface ExplicitTool {
  readonly name: string;
  readonly description: string;
  /** Where it stands, for the error that names it. */
  readonly origin: string;
  /** Puts what else it is called with in its place. Default: nothing else. */
  readonly lay?: (sources: readonly ArgumentSource[]) => readonly ArgumentSource[];
}

/**
 * The shape of what has a schema of its own: it gets all the arguments as one object, and the context. A library's
 * schema is converted when the tool is made ready, which rejects with a ToolSchemaInvalidError where it cannot be.
 */
export function explicitShape(
  tool: ExplicitTool,
  schema: ExplicitSchema,
): CallableShape | (() => Promise<CallableShape>) {
  if (!isStandardSchema(schema)) return wholeShape(tool, schema);
  return async () => wholeShape(tool, await converted(tool, schema), schema);
}

function wholeShape(
  { name, description, lay = (sources) => sources }: ExplicitTool,
  parametersJsonSchema: JsonSchema,
  schema?: StandardSchema,
): CallableShape {
  return {
    declaration: { name, description, parametersJsonSchema },
    sources: lay([{ kind: 'arguments', ...(schema !== undefined && { schema }) }, { kind: 'context' }]),
  };
}

async function converted({ name, origin }: ExplicitTool, schema: StandardSchema): Promise<JsonSchema> {
  try {
    return await toJsonSchema(schema);
  } catch (cause) {
    throw new ToolSchemaInvalidError(name, origin, cause);
  }
}
