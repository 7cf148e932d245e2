import type { OfferedTool } from './offered-tool.js';

export const INTRODUCTION =
  'I am the offline model: I match your words to the tools and do not reason. ' +
  'Set GEMINI_API_KEY to talk to Gemini.';

/** Lists the available tools if the request matches none. */
export function sayOffers(tools: readonly OfferedTool[]): string {
  if (tools.length === 0) return 'This agent offers me no tools, and without them I can only say so.';
  return `I found no tool for that. I can use:${tools.map(line).join('')}`;
}

function line({ name, description }: OfferedTool): string {
  const [sentence = ''] = description.split(/(?<=\.)\s/);
  return `\n- ${name}${sentence === '' ? '' : `: ${sentence.trim()}`}`;
}
