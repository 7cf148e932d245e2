import type { SettledCall } from '../dispatch/tool-call.js';
import type { Event } from '../events/event.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { newEventId } from '../runtime/ids.js';
import { schemaCompiler } from '../schema/ajv.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { responseToEvent } from './response-to-event.js';
import { givenAnswer, SET_MODEL_RESPONSE } from './set-model-response.tool.js';
import type { TurnAgent } from './turn-agent.js';

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
  const facts = { id: newEventId(), content, isFinal: true, longRunningToolIds: [] };
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
