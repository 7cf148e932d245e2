import type { SettledCall } from '../dispatch/tool-call.js';
import type { Event } from '../events/event.js';
import { LLM_CALLS } from '../invocation/budget.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { newEventId } from '../runtime/ids.js';
import { schemaCompiler } from '../schema/ajv.js';
import type { Arguments } from '../schema/argument-check.js';
import type { JsonSchema } from '../schema/reader/schema-parts.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import { FunctionTool } from '../tools/function.tool.js';
import { describeIssue, toOutput } from '../tools/bind-arguments.js';
import { responseToEvent } from './answer-event.js';
import type { TurnAgent, LlmSettings } from './turn-agent.js';

/** The answer that the model gave by calling `set_model_response`, as the answer it would have said. */
export function finalAnswer(
  agent: TurnAgent,
  context: InvocationContext,
  settled: readonly SettledCall[],
): Event | undefined {
  const { outputSchema } = agent.turn;
  if (outputSchema === undefined) return undefined;
  const given = settled.find(
    ({ name, outcome }) => name === SET_MODEL_RESPONSE && outcome.kind === 'completed',
  );
  if (given?.outcome.kind !== 'completed') return undefined;
  const content = {
    role: 'model',
    parts: [{ text: JSON.stringify(givenAnswer(outputSchema, given.outcome.response)) }],
  };
  const customMetadata = { [LLM_CALLS]: 0 };
  const facts = { id: newEventId(), content, isFinal: true, longRunningToolIds: [], customMetadata };
  return responseToEvent(agent, context, {}, facts);
}

type OutputCheck = (output: unknown) => boolean;

const checks = new WeakMap<JsonSchema, Promise<OutputCheck | undefined>>();

/** The check of answers against an `outputSchema`, compiled once; undefined where the schema cannot be compiled. */
export function outputCheckOf(schema: JsonSchema): Promise<OutputCheck | undefined> {
  let check = checks.get(schema);
  if (check === undefined) checks.set(schema, (check = compileCheck(schema)));
  return check;
}

async function compileCheck(schema: JsonSchema): Promise<OutputCheck | undefined> {
  try {
    const compile = await schemaCompiler(schema);
    const validate = compile();
    return (output) => validate(output);
  } catch {
    return undefined;
  }
}

/** An answer as its `outputSchema` has it, or what is wrong with it. */
export type StructuredAnswer = { readonly output: unknown } | { readonly fault: string };

/** Parses and checks the text of an answer. Without an `outputSchema` the text is the answer. */
export async function readStructuredAnswer(turn: LlmSettings, text: string): Promise<StructuredAnswer> {
  const { outputSchema, outputCheck } = turn;
  if (outputSchema === undefined) return { output: text };
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch {
    return { fault: 'is not JSON' };
  }
  const fits = await outputCheckOf(outputSchema);
  if (fits?.(output) === false) return { fault: 'does not fit the schema' };
  if (outputCheck === undefined) return { output };
  const checked = await outputCheck['~standard'].validate(output);
  if (checked.issues === undefined) return { output: checked.value };
  return { fault: `is refused by the schema: ${checked.issues.map(describeIssue).join('; ')}` };
}

export const SET_MODEL_RESPONSE = 'set_model_response';

/** What decides how an agent gives its answer. */
type Talk = Pick<TurnAgent, 'turn' | 'tools' | 'toolsets' | 'model'>;

/** Whether an agent's structured answer comes as a call: its model takes no response schema beside tools. */
export function answersThroughTool({ turn, tools, toolsets, model }: Talk): boolean {
  if (turn.outputSchema === undefined || model.supportsSchemaBesideTools) return false;
  return toolsets.length > 0 || tools.names.length > 0 || tools.provided.length > 0;
}

/** The output schema as a tool whose arguments are the answer; one that is no object is asked for under `result`. */
export class SetModelResponseTool extends FunctionTool {
  private readonly check: StandardSchema | undefined;

  constructor({ outputSchema = {}, outputCheck }: LlmSettings) {
    const isWhole = isObjectSchema(outputSchema);
    super({
      name: SET_MODEL_RESPONSE,
      description:
        'Give the final answer in the form that is asked for. Call it once, when the work is done.',
      parameters: isWhole ? outputSchema : resultSchema(outputSchema),
      maxResultBytes: Infinity,
      run: (args) => args,
    });
    this.check = outputCheck && (isWhole ? outputCheck : withinResult(outputCheck));
  }

  /** What a library makes of the answer is left to whoever reads it: it may be what JSON cannot hold. */
  override async validate(args: Arguments): Promise<void> {
    if (this.check !== undefined) await toOutput(this.name, this.check, args);
  }
}

function resultSchema(result: JsonSchema): JsonSchema {
  return { type: 'object', properties: { result }, required: ['result'], additionalProperties: false };
}

/** Checks what is under `result`, and says so where something is wrong with it. */
function withinResult(schema: StandardSchema): StandardSchema {
  const { vendor, validate } = schema['~standard'];
  return {
    '~standard': {
      version: 1,
      vendor,
      validate: async (value) => {
        const { issues } = await validate((value as { readonly result: unknown }).result);
        if (issues === undefined) return { value };
        return { issues: issues.map(({ message, path = [] }) => ({ message, path: ['result', ...path] })) };
      },
    },
  };
}

/** What was given as the answer, in the form of the schema. */
function givenAnswer(outputSchema: JsonSchema, args: Record<string, unknown>): unknown {
  return isObjectSchema(outputSchema) ? args : args['result'];
}

function isObjectSchema({ type }: JsonSchema): boolean {
  return type === undefined || type === 'object';
}
