import { callsTools, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, type FunctionCall, type Tool } from 'adorn';

import type { JsonObject } from './json-object.js';

/** A call of a tool by its name. */
export interface ToolCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** What the model was answered. */
export interface Dispatched {
  /** The responses of each turn, in the order of its calls. */
  readonly responses: readonly (readonly JsonObject[])[];
  /** Why the run did not come to its end; undefined where it did. */
  readonly broken?: string;
}

const CLOSING = 'That is all done.';

/** Lets a model make the calls of each turn, one turn after the other, and then close the conversation. */
export async function dispatchCalls(
  tools: readonly Tool[],
  turns: readonly (readonly ToolCall[])[],
  message = 'Begin.',
): Promise<Dispatched> {
  const model = new ScriptedModel(
    ...turns.map((calls) => callsTools(...calls.map(modelCall))),
    says(CLOSING),
  );
  const caller = defineAgent({ name: 'caller', tools: [...tools] });
  await using runner = await createRunner(caller, { model, config: { maxInvalidCalls: Infinity } });
  const events = await eventsOf(runner.run({ message }));
  const answered = events.map((event) => event.functionResponses).filter((each) => each.length > 0);
  const responses = answered.map((each) => each.map(({ response }) => response ?? {}));
  return { responses, ...faultOfEnd(events.at(-1)?.text, turns, responses) };
}

function modelCall({ name, args }: ToolCall): FunctionCall {
  return { name, args: { ...args } };
}

function faultOfEnd(
  last: string | undefined,
  turns: readonly (readonly ToolCall[])[],
  responses: Dispatched['responses'],
): { broken?: string } {
  if (last !== CLOSING) return { broken: `the run ended with ${JSON.stringify(last)}` };
  const counts = responses.map(({ length }) => length);
  const expected = turns.map(({ length }) => length);
  if (JSON.stringify(counts) === JSON.stringify(expected)) return {};
  return { broken: `calls by turn: ${expected.join(', ')}; responses: ${counts.join(', ')}` };
}
