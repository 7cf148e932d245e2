import type { JsonSchema } from '@adorn/core';
import { estimateTokens, labelsOf } from '@adorn/core/compiler';
import type { Dialect } from '@adorn/core/dialects';

import { placeOf } from '../source/place.js';
import type { AgentSize, SkillSize, ToolSize } from './check-report.js';
import type { FoundSkills } from './skills/found-skills.js';
import type { FoundAgent, FoundTool } from './tools/found-tool.js';

/** The size of a tool's declaration as it is sent in a dialect, without results, which are sent only on request; 0 for one that is known only when the program runs. */
export function declarationTokens({ name, declaration }: FoundTool, dialect: Dialect | undefined): number {
  if (!declaration) return 0;
  const { description, parametersJsonSchema } = declaration;
  const inDialect = (schema: JsonSchema): JsonSchema => dialect?.convert(schema) ?? schema;
  return estimateTokens(
    JSON.stringify({
      name,
      description,
      parametersJsonSchema: inDialect(parametersJsonSchema),
    }),
  );
}

export function sizeOfTool(tool: FoundTool, dialect: Dialect | undefined): ToolSize {
  const { name, origin, node } = tool;
  return {
    name,
    origin,
    ...placeOf(node),
    tokens: declarationTokens(tool, dialect),
    labels: labelsOf(tool),
  };
}

export function sizeOfAgent(
  { name, node, tools, hasMore }: FoundAgent,
  dialect: Dialect | undefined,
): AgentSize {
  const tokens = tools.reduce((sum, tool) => sum + declarationTokens(tool, dialect), 0);
  return { name, ...placeOf(node), tools: tools.length, tokens, hasMore };
}

export function sizesOfSkills({ node, skills }: FoundSkills): SkillSize[] {
  return skills.map(({ skill: { frontMatter, body } }) => ({
    name: frontMatter.name,
    ...placeOf(node),
    tokens: estimateTokens(frontMatter.name + frontMatter.description),
    tokensOpened: estimateTokens(body),
  }));
}
