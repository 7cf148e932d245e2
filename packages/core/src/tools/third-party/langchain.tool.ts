import {
  type Arguments,
  type JsonSchema,
  type ExplicitSchema,
  isStandardSchema,
  type StandardSchema,
} from '@adorn/schema';
import { toOutput } from '../bind-arguments.js';
import { type CallableShape, CallableTool, converted, wholeShape } from '../callable.tool.js';
import type { ToolContext } from '../tool-context.js';

/** A tool of LangChain, by its shape: Adorn does not depend on LangChain. */
export interface LangChainTool {
  /** The name that the model calls. */
  readonly name: string;
  /** Shown to the model. */
  readonly description: string;
  /** The schema of the input: of zod 4 or another library with Standard JSON Schema, or JSON Schema. */
  readonly schema: object;
  /** True if the result is the answer of the agent. Default: false. */
  readonly returnDirect?: boolean;
  /** Runs the call. The result, or what its promise resolves to, is the tool's result. */
  invoke(input: never, config?: never): unknown;
}

/** JavaScript code may list anything. */
export function isLangChainTool(value: unknown): value is LangChainTool {
  if (typeof value !== 'object' || value === null) return false;
  const { name, schema, invoke } = value as Partial<Record<keyof LangChainTool, unknown>>;
  const isSchema = (typeof schema === 'object' && schema !== null) || typeof schema === 'function';
  return typeof name === 'string' && typeof invoke === 'function' && isSchema;
}

/** Wraps a LangChain tool; all agents that list it share the result. */
export function langChainTool(source: LangChainTool): CallableTool {
  let tool = known.get(source);
  if (!tool) known.set(source, (tool = new LangChainCallable(source)));
  return tool;
}

const known = new WeakMap<LangChainTool, CallableTool>();

/** LangChain validates and transforms the input itself. Here its schema only checks it, before a person is asked. */
class LangChainCallable extends CallableTool {
  private readonly schema: StandardSchema | undefined;

  constructor(private readonly source: LangChainTool) {
    const { name } = source;
    const schema = source.schema as ExplicitSchema;
    const description = typeof source.description === 'string' ? source.description : '';
    super({ name, description }, () => shapeOf(name, description, schema));
    this.schema = isStandardSchema(schema) ? schema : undefined;
  }

  override get origin(): string {
    return 'a LangChain tool';
  }

  override async validate(args: Arguments): Promise<void> {
    if (this.schema) await toOutput(this.name, this.schema, args);
  }

  protected async call([input, context]: [input: unknown, context: ToolContext]): Promise<unknown> {
    const result = await this.source.invoke(input as never, { signal: context.signal } as never);
    if (this.source.returnDirect === true) context.actions.skipSummarization = true;
    return isToolMessage(result) ? result.content : result;
  }
}

async function shapeOf(name: string, description: string, schema: ExplicitSchema): Promise<CallableShape> {
  const tool = { name, description, origin: 'a LangChain tool' };
  if (!isStandardSchema(schema)) return wholeShape(tool, { ...schema });
  return wholeShape(tool, takesText(schema) ? TEXT_INPUT : await converted(tool, schema));
}

/** The input of LangChain tools that take one string. */
const TEXT_INPUT: JsonSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
};

/** LangChain describes the input of such tools with zod 3, which cannot be converted to JSON Schema. */
function takesText(schema: object): boolean {
  const { _def: definition } = schema as {
    readonly _def?: { readonly typeName?: unknown; readonly schema?: { readonly shape?: object } };
  };
  const { typeName, schema: inner } = definition ?? {};
  return typeName === 'ZodEffects' && Object.keys(inner?.shape ?? {}).join() === 'input';
}

/** A tool may return a ToolMessage. */
function isToolMessage(result: unknown): result is { readonly content: unknown } {
  return typeof result === 'object' && result !== null && 'content' in result && 'tool_call_id' in result;
}
