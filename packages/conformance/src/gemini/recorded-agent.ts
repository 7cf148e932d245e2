import { type AgentClass, defineAgent, FunctionTool, type GenerateContentConfig } from 'adorn';
import type { DefinedAgentOptions } from '@adorn/core/backend';

import type { Conversation } from './conversation.js';
import { type Json, type RecordedBody, type RecordedDeclaration, responsesIn } from './gemini-json.js';
import { jsonSchemaOf } from './json-schema-of.js';

export const RECORDED_AGENT = 'recorded';

/** An agent as the first request of a conversation shows it. Its tools answer what the follow-ups say they did. */
export function recordedAgent({ bodies }: Conversation): AgentClass<unknown> {
  const {
    systemInstruction,
    tools = [],
    generationConfig = {},
    toolConfig,
    safetySettings,
  } = bodies[0] ?? {};
  const instruction = (systemInstruction?.parts ?? []).map(({ text = '' }) => text).join('');
  const { responseJsonSchema, responseSchema, ...settings } = generationConfig;
  const answers = answersByTool(bodies);
  const declarations = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  return defineAgent({
    name: RECORDED_AGENT,
    ...(instruction !== '' && { instruction: () => instruction }),
    generateContentConfig: {
      ...settings,
      ...(toolConfig && { toolConfig }),
      ...(safetySettings && { safetySettings }),
    } as GenerateContentConfig,
    ...outputSchemaOf(responseJsonSchema, responseSchema),
    tools: declarations.map((declaration) => toTool(declaration, answers.get(declaration.name) ?? [])),
  });
}

function outputSchemaOf(
  jsonSchema: unknown,
  googleSchema: unknown,
): Pick<DefinedAgentOptions, 'outputSchema'> {
  const schema = (jsonSchema ?? (googleSchema && jsonSchemaOf(googleSchema as Json))) as
    NonNullable<DefinedAgentOptions['outputSchema']> | undefined;
  return schema ? { outputSchema: schema } : {};
}

/** The responses of each tool since the first request, in the order of its calls. The last request holds them all. */
function answersByTool(bodies: readonly RecordedBody[]): Map<string, Json[]> {
  const answers = new Map<string, Json[]>();
  for (const content of bodies.at(-1)?.contents?.slice(bodies[0]?.contents?.length) ?? []) {
    for (const { functionResponse } of responsesIn(content)) {
      const { name = '', response = {} } = functionResponse ?? {};
      answers.set(name, [...(answers.get(name) ?? []), response]);
    }
  }
  return answers;
}

function toTool(
  { name, description = '', parameters, parametersJsonSchema }: RecordedDeclaration,
  answers: Json[],
) {
  const schema = parametersJsonSchema ?? (parameters && jsonSchemaOf(parameters));
  return new FunctionTool({
    name,
    description,
    ...(schema && { parameters: schema }),
    run: () => {
      const answer = answers.shift();
      if (!answer) throw new Error(`The recording holds no more responses of ${name}.`);
      return answer;
    },
  });
}
