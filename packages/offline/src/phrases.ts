import type { OfferedTool, Parameter } from './offered-tool.js';
import { tokensOf } from './words.js';

const OPENING = 'To use';
const CLOSING = 'I still need:';

/**
 * Asks for missing arguments in the words of the parameters. {@link toolAskedAbout} recognises the question.
 */
export function askFor(tool: OfferedTool, missing: readonly Parameter[]): string {
  return `${OPENING} ${tool.name} ${CLOSING} ${missing.map(wish).join('; ')}.`;
}

/** The tool that a question of this model was about; undefined for any other text. */
export function toolAskedAbout(text: string): string | undefined {
  return new RegExp(`(?:^|\\n)${OPENING} (\\S+) ${CLOSING}`).exec(text)?.[1];
}

function wish({ path, schema: { description, choices } }: Parameter): string {
  const name = path.flatMap(tokensOf).join(' ');
  const said = description === '' ? '' : ` (${description.replace(/\.$/, '')})`;
  return choices.length === 0 ? `${name}${said}` : `${name}${said}, one of ${choices.join(', ')}`;
}

/** The first words of the model, by which it recognises its own answers. */
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
