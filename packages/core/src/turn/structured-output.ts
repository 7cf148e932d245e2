import type { SettledCall } from '../gates/tool-call.js';
import type { Event } from '../events/event.js';
import type { FunctionCall } from '../events/genai-types.js';
import { recordedCalls } from '../run/budget.js';
import type { AgentNode } from '../run/agent-node.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { newEventId } from '../runtime/ids.js';
import {
  type Arguments,
  describeProblems,
  type JsonSchema,
  OF_ANSWER,
  schemaCompiler,
  type StandardSchema,
} from '@adorn/schema';
import { FunctionTool } from '../tools/function.tool.js';
import type { Tool } from '../tools/tool.js';
import { describeIssue, toOutput } from '../tools/bind-arguments.js';
import { responseToEvent } from './response-to-event.js';
import type { TurnAgent, LlmSettings } from './turn-agent.js';

/** The event of the output, from a call of `set_model_response`, as if the model had written it as text. */
export function outputEvent(
  agent: TurnAgent,
  context: InvocationContext,
  settled: readonly SettledCall[],
): Event | undefined {
  const { outputSchema } = agent.turn;
  if (!outputSchema) return undefined;
  const given = settled.find(
    ({ name, outcome }) => name === SET_MODEL_RESPONSE && outcome.kind === 'completed',
  );
  if (given?.outcome.kind !== 'completed') return undefined;
  const content = {
    role: 'model',
    parts: [{ text: JSON.stringify(outputIn(outputSchema, given.outcome.response)) }],
  };
  const customMetadata = recordedCalls(0);
  const facts = { id: newEventId(), content, isFinal: true, longRunningToolIds: [], customMetadata };
  return responseToEvent(agent, context, {}, facts);
}

/** Why an output does not fit its schema; undefined if it does. */
type OutputCheck = (output: unknown) => string | undefined;

const checks = new WeakMap<JsonSchema, Promise<OutputCheck | undefined>>();

/** The check of outputs against an `outputSchema`, compiled once; undefined if the schema cannot be compiled. */
export function outputCheckOf(schema: JsonSchema): Promise<OutputCheck | undefined> {
  let check = checks.get(schema);
  if (!check) checks.set(schema, (check = compileCheck(schema)));
  return check;
}

async function compileCheck(schema: JsonSchema): Promise<OutputCheck | undefined> {
  try {
    const compile = await schemaCompiler(schema, { isKnownGood: true }); // checked with the agent's options
    const validate = compile();
    return (output) => {
      if (validate(output)) return undefined;
      return `does not fit the schema: ${describeProblems(validate.errors ?? [], OF_ANSWER).join('; ')}`;
    };
  } catch {
    return undefined;
  }
}

/** Why the text of a response is not the output that its agent has to give; undefined if it is. */
export async function outputFault(turn: LlmSettings, text: string): Promise<string | undefined> {
  const read = await readStructuredOutput(turn, text);
  return 'fault' in read ? read.fault : undefined;
}

/** The parsed output, or the reason why it is not valid. */
export type StructuredOutput = { readonly output: unknown } | { readonly fault: string };

/** Parses and checks the text of a response. Without an `outputSchema` the text is the output. */
export async function readStructuredOutput(turn: LlmSettings, text: string): Promise<StructuredOutput> {
  const { outputSchema, outputCheck } = turn;
  if (!outputSchema) return { output: text };
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch {
    return { fault: 'is not JSON' };
  }
  const check = await outputCheckOf(outputSchema);
  const fault = check?.(output);
  if (fault !== undefined) return { fault };
  if (!outputCheck) return { output };
  const checked = await outputCheck['~standard'].validate(output);
  if (!checked.issues) return { output: checked.value };
  const issues = checked.issues.map((issue) => describeIssue(issue, OF_ANSWER));
  return { fault: `is rejected by the schema: ${issues.join('; ')}` };
}

export const SET_MODEL_RESPONSE = 'set_model_response';

/** The parts of an agent that decide how it gives its output. */
type OutputParts = Pick<TurnAgent, 'turn' | 'tools' | 'toolsets' | 'model'>;

/** True if an agent gives its structured output by a call, because its model does not accept a response schema with tools. */
export function givesOutputByTool({ turn, tools, toolsets, model }: OutputParts): boolean {
  if (!turn.outputSchema || model.supportsSchemaBesideTools) return false;
  return toolsets.length > 0 || tools.names.length > 0 || tools.provided.length > 0;
}

/** True for the tool that carries the structured output of an agent: a call of it has no other effect. */
export function isOutputTool(tool: Tool): boolean {
  return tool instanceof SetModelResponseTool;
}

/** A tool whose arguments are the output. If the output schema is not an object, the argument is `result`. */
export class SetModelResponseTool extends FunctionTool {
  private readonly check: StandardSchema | undefined;

  constructor({ outputSchema = {}, outputCheck }: LlmSettings) {
    const isWhole = isObjectSchema(outputSchema);
    super({
      name: SET_MODEL_RESPONSE,
      description: 'Give the final answer in the requested form. Call it once, when the work is done.',
      parameters: isWhole ? outputSchema : resultSchema(outputSchema),
      maxResultBytes: Infinity,
      run: (args) => args,
    });
    this.check = outputCheck && (isWhole ? outputCheck : withinResult(outputCheck));
  }

  /** Only checks: the library's converted value may not be JSON, so the reader of the output converts it. */
  override async validate(args: Arguments): Promise<void> {
    if (this.check) await toOutput(this.name, this.check, args);
  }
}

function resultSchema(result: JsonSchema): JsonSchema {
  return { type: 'object', properties: { result }, required: ['result'], additionalProperties: false };
}

/** Checks the value of `result`, and prefixes the paths of its issues. */
function withinResult(schema: StandardSchema): StandardSchema {
  const { vendor, validate } = schema['~standard'];
  return {
    '~standard': {
      version: 1,
      vendor,
      validate: async (value) => {
        const { issues } = await validate((value as { readonly result: unknown }).result);
        if (!issues) return { value };
        return { issues: issues.map(({ message, path = [] }) => ({ message, path: ['result', ...path] })) };
      },
    },
  };
}

/** The output that a call carries, as the JSON that it would be as text; undefined for another call. */
export function outputTextIn(agent: AgentNode | TurnAgent, { name, args }: FunctionCall): string | undefined {
  const schema = outputSchemaOf(agent);
  if (name !== SET_MODEL_RESPONSE || !schema || args === undefined) return undefined;
  return JSON.stringify(outputIn(schema, args));
}

/**
 * The call with another output.
 *
 * @param text the output as JSON
 * @throws {SyntaxError} for a text that is not JSON
 */
export function withOutputText(agent: AgentNode | TurnAgent, call: FunctionCall, text: string): FunctionCall {
  const output: unknown = JSON.parse(text);
  const isWhole = isObjectSchema(outputSchemaOf(agent) ?? {});
  return { ...call, args: isWhole ? (output as Record<string, unknown>) : { result: output } };
}

function outputSchemaOf(agent: AgentNode | TurnAgent): JsonSchema | undefined {
  return 'turn' in agent ? agent.turn.outputSchema : undefined;
}

/** The output in the form of the schema. */
function outputIn(outputSchema: JsonSchema, args: Record<string, unknown>): unknown {
  return isObjectSchema(outputSchema) ? args : args['result'];
}

function isObjectSchema({ type }: JsonSchema): boolean {
  return type === undefined || type === 'object';
}
