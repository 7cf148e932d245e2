import { FunctionTool, type JsonSchema } from 'adorn';

import { dispatchCalls } from '../bfcl/dispatch-calls.js';
import type { JsonObject } from '../bfcl/json-object.js';

const TOOL = 'judge';

/**
 * Calls a tool of that schema once with each value and gives what was answered: `received` are the arguments that
 * were let in.
 *
 * @throws AdornError where the schema is refused
 */
export async function offerValues(
  schema: JsonSchema,
  values: readonly unknown[],
): Promise<readonly JsonObject[]> {
  const calls = values.map((value) => ({ name: TOOL, args: { value } }));
  const { responses, broken } = await dispatchCalls([judgingTool(schema)], [calls]);
  if (broken !== undefined) throw new Error(broken);
  return responses[0] ?? [];
}

function judgingTool(parameters: JsonSchema): FunctionTool {
  return new FunctionTool({
    name: TOOL,
    description: 'Takes what its schema takes.',
    parameters,
    run: (received) => ({ received }),
  });
}
