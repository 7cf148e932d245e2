import { joinText } from '../../events/content-parts.js';
import { describeThrown, type JsonSchema, isStandardSchema, type StandardSchema } from '@adorn/schema';
import { type CallableShape, CallableTool, converted, wholeShape } from '../callable.tool.js';
import { ToolSchemaInvalidError } from '../errors.js';
import type { ToolContext } from '../tool-context.js';

/** The fields of a tool in all versions of the AI SDK. */
export interface AiSdkToolBase {
  /** Shown to the model if it is a text. */
  readonly description?: unknown;
  /** Called with the arguments of the call and the options of the AI SDK. */
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  /** Whether a person has to confirm a call. Default: false. */
  readonly needsApproval?: boolean | ((input: never, options: never) => unknown) | undefined;
}

/** A tool of Vercel's AI SDK, by its shape: Adorn does not depend on the AI SDK. Version 4 calls its schema `parameters`. */
export type AiSdkTool = AiSdkToolBase &
  ({ readonly inputSchema: object } | { readonly inputSchema?: undefined; readonly parameters: object });

/** Tools of the AI SDK by their names. */
export interface AiSdkToolSet {
  /** A tool under the name that the model calls. */
  readonly [name: string]: AiSdkTool;
}

/** JavaScript code may list anything. */
export function isAiSdkTool(value: unknown): value is AiSdkTool {
  if (typeof value !== 'object' || value === null || !isSchema(schemaOf(value))) return false;
  return 'inputSchema' in value || 'execute' in value || 'description' in value;
}

function schemaOf(tool: object): unknown {
  const { inputSchema, parameters } = tool as {
    readonly inputSchema?: unknown;
    readonly parameters?: unknown;
  };
  return inputSchema ?? parameters;
}

function isSchema(schema: unknown): schema is object {
  return (typeof schema === 'object' && schema !== null) || typeof schema === 'function';
}

/** Wraps a tool of the AI SDK under a name. */
export function aiSdkTool(name: string, source: AiSdkTool): CallableTool {
  return new AiSdkCallable(name, source);
}

class AiSdkCallable extends CallableTool {
  constructor(
    name: string,
    private readonly source: AiSdkTool,
  ) {
    const description = typeof source.description === 'string' ? source.description : '';
    super({ name, description, confirm: confirmOf(source) }, () => shapeOf(name, description, source));
  }

  override get origin(): string {
    return 'a tool of the AI SDK';
  }

  protected call([input, context]: [input: unknown, context: ToolContext]): unknown {
    const options = { ...optionsOf(context), abortSignal: context.signal };
    const result = this.source.execute?.(input as never, options as never);
    return isAsyncIterable(result) ? progressOf(result) : result;
  }
}

/** Asks unless the option is false or absent, so that no approval gets lost. */
function confirmOf({
  needsApproval,
}: AiSdkTool): boolean | ((input: never, context: ToolContext) => Promise<boolean>) {
  if (typeof needsApproval !== 'function') return Boolean(needsApproval);
  return async (input, context) => Boolean(await needsApproval(input, optionsOf(context) as never));
}

/** Passes only the user's message of the run: the AI SDK has its own format for conversations. */
function optionsOf({ functionCallId, userContent }: ToolContext): object {
  return { toolCallId: functionCallId, messages: [{ role: 'user', content: joinText(userContent) }] };
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** In the AI SDK the last value is the result; the values before it are preliminary. */
async function* progressOf(values: AsyncIterable<unknown>): AsyncGenerator<unknown, unknown> {
  let last: unknown = null;
  for await (const value of values) yield (last = value);
  return last;
}

async function shapeOf(name: string, description: string, source: AiSdkTool): Promise<CallableShape> {
  const tool = { name, description, origin: 'a tool of the AI SDK' };
  try {
    const schema = resolved(schemaOf(source) as JsonSchema);
    if (isStandardSchema(schema)) return wholeShape(tool, await converted(tool, schema), schema);
    if (!('jsonSchema' in schema)) return wholeShape(tool, schema);
    // Libraries add fields of their own to a converted schema.
    const { $schema: _draft, '~standard': _library, ...json } = (await schema['jsonSchema']) as JsonSchema;
    return wholeShape(tool, json, checkOf(schema));
  } catch (cause) {
    throw cause instanceof ToolSchemaInvalidError
      ? cause
      : new ToolSchemaInvalidError(name, tool.origin, cause);
  }
}

/** A schema may be a function that returns it. Schemas of some libraries are functions themselves. */
function resolved(schema: JsonSchema): JsonSchema {
  return typeof schema === 'function' && !isStandardSchema(schema)
    ? (schema as unknown as () => JsonSchema)()
    : schema;
}

/** The `validate` option of `jsonSchema()` of the AI SDK. */
type Validate = (value: unknown) => PromiseLike<Validated> | Validated;

type Validated =
  { readonly success: true; readonly value: unknown } | { readonly success: false; readonly error: unknown };

/** The check of a schema of the AI SDK; undefined if it has none. */
function checkOf(schema: JsonSchema): StandardSchema | undefined {
  if (typeof schema['validate'] !== 'function') return undefined;
  const validate = schema['validate'] as Validate;
  return {
    '~standard': {
      version: 1,
      vendor: 'ai',
      validate: async (value) => {
        const result = await validate(value);
        if (result.success) return { value: result.value };
        return { issues: [{ message: describeThrown(result.error).message }] };
      },
    },
  };
}
