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

/** A tool whose schema is stated in its options. */
export interface ExplicitTool {
  readonly name: string;
  readonly description: string;
  /** The function or method, for error messages. */
  readonly origin: string;
  /** Inserts the sources of injected parameters. Default: none. */
  readonly insertServices?: (sources: readonly ArgumentSource[]) => readonly ArgumentSource[];
}

/**
 * The shape of a tool with an explicit schema: it is called with all arguments as one object, and the context. The
 * schema of a library is converted when the tool is made ready, or rejected with a ToolSchemaInvalidError.
 */
export function explicitShape(
  tool: ExplicitTool,
  schema: ExplicitSchema,
): CallableShape | (() => Promise<CallableShape>) {
  if (!isStandardSchema(schema)) return wholeShape(tool, schema);
  return async () => wholeShape(tool, await converted(tool, schema), schema);
}

/** The shape of a tool that is called with all arguments as one object, and the context. */
export function wholeShape(
  { name, description, insertServices = (sources) => sources }: ExplicitTool,
  parametersJsonSchema: JsonSchema,
  schema?: StandardSchema,
): CallableShape {
  return {
    declaration: { name, description, parametersJsonSchema },
    sources: insertServices([
      { kind: 'arguments', ...(schema !== undefined && { schema }) },
      { kind: 'context' },
    ]),
  };
}

/** @throws {ToolSchemaInvalidError} if JSON Schema has no form for a part of it */
export async function converted({ name, origin }: ExplicitTool, schema: StandardSchema): Promise<JsonSchema> {
  try {
    return await toJsonSchema(schema);
  } catch (cause) {
    throw new ToolSchemaInvalidError(name, origin, cause);
  }
}
