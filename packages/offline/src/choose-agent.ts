import type { ModelRequest } from '@adorn/core';

import type { OfferedTool } from './offered-tool.js';
import { simplify } from './simple-schema.js';

export const TRANSFER = 'transfer_to_agent';

/**
 * The agents that the conversation can be handed to, as if each were a tool without parameters, so that the same
 * words decide between tools and agents. They stand as a list in the instructions, above the line that says how
 * to hand over.
 */
export function offeredAgents(request: ModelRequest, tools: readonly OfferedTool[]): OfferedTool[] {
  if (!tools.some(({ name }) => name === TRANSFER)) return [];
  const lines = textsIn(request.config.systemInstruction).join('\n').split('\n');
  const isEnd = (line: string, index: number): boolean =>
    line.includes(TRANSFER) && toAgent(lines[index - 1] ?? '') !== undefined;
  const above = lines.slice(0, Math.max(0, lines.findLastIndex(isEnd)));
  return above
    .slice(above.findLastIndex((line) => toAgent(line) === undefined) + 1)
    .flatMap((line) => toAgent(line) ?? []);
}

/** `- billing: Invoices and payments.` */
function toAgent(line: string): OfferedTool | undefined {
  const [, name, description = ''] = /^\s*[-*] `?([\w-]+)`?: *(.*)$/.exec(line) ?? [];
  return name === undefined ? undefined : { name, description, parameters: simplify({ type: 'object' }) };
}

/** A system instruction is a text, a part, a content, or a list of them. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  if ('text' in value) return textsIn(value.text);
  return 'parts' in value ? textsIn(value.parts) : [];
}
