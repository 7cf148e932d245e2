import { describeThrown } from '../../errors/describe-thrown.js';
import type { JsonSchema } from '../../schema/json-schema.js';
import { sourceName } from '../../schema/source-name.js';
import { isStandardSchema, type StandardSchema } from '../../schema/standard/standard-schema.js';
import { toJsonSchema } from '../../schema/standard/to-json-schema.js';
import type { TurnOptions } from '../../turn/turn-agent.js';
import type { LlmAgent } from '../llm.agent.js';
import type { AgentPlan } from './agent-plan.js';
import { AgentConfigInvalidError } from './agent-config-invalid.error.js';

/**
 * What an agent was told about its talk, a library's schema as JSON Schema.
 *
 * @throws {AgentConfigInvalidError} where JSON has no form for a part of that schema
 */
export async function turnOf(
  { instruction }: LlmAgent,
  { target, options }: AgentPlan,
): Promise<TurnOptions> {
  const { outputSchema, ...told } = options;
  return {
    ...told,
    ...(instruction !== undefined && { instruction }),
    ...(outputSchema !== undefined && (await formOf(outputSchema, sourceName(target)))),
  };
}

async function formOf(
  schema: JsonSchema | StandardSchema,
  className: string,
): Promise<Pick<TurnOptions, 'outputSchema' | 'outputCheck'>> {
  if (!isStandardSchema(schema)) return { outputSchema: schema };
  try {
    return { outputSchema: await toJsonSchema(schema), outputCheck: schema };
  } catch (cause) {
    const words = describeThrown(cause).message;
    throw new AgentConfigInvalidError(
      className,
      `its outputSchema cannot be used: ${words}`,
      'Mend the schema.',
      {
        cause,
      },
    );
  }
}
