import type { Dialect } from '@adorn/core/dialects';

import { placeOf } from '../../source/place.js';
import type { AgentSize, ToolSize } from '../check-report.js';
import type { FoundAgent } from '../tools/found-agent.js';
import type { FoundTool } from '../tools/found-tool.js';
import { declarationTokens } from './declaration-tokens.js';

export function sizeOfTool(tool: FoundTool, dialect: Dialect | undefined): ToolSize {
  const { name, origin, node } = tool;
  return { name, origin, ...placeOf(node), tokens: declarationTokens(tool, dialect) };
}

export function sizeOfAgent(
  { name, node, tools, hasMore }: FoundAgent,
  dialect: Dialect | undefined,
): AgentSize {
  const tokens = tools.reduce((sum, tool) => sum + declarationTokens(tool, dialect), 0);
  return { name, ...placeOf(node), tools: tools.length, tokens, hasMore };
}
