import type { OfferedTool } from './offered-tool.js';
import type { Parameter } from './parameter.js';
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
