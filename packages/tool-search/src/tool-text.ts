import type { JsonSchema, Tool } from '@adorn/core';
import { schemasWithin } from '@adorn/core/backend';

/** The searched text of the parameters of one tool, in characters: bodies of large APIs say more than anybody asks for. */
const LONGEST = 8_000;

/** What of a tool is searched. */
export interface ToolText {
  readonly name: string;
  readonly description: string;
  /** Names and descriptions of its parameters, also of nested ones. */
  readonly parameters: string;
}

export function toolText(tool: Tool): ToolText {
  const { description = '', parametersJsonSchema } = tool.declaration() ?? {};
  const parameters = parametersText((parametersJsonSchema ?? {}) as JsonSchema);
  return { name: tool.name, description, parameters };
}

/** The text of a tool for an embedder. */
export function textOfTool(tool: Tool): string {
  const { name, description, parameters } = toolText(tool);
  return `${name}\n${description}\n${parameters}`.slice(0, LONGEST);
}

function parametersText(schema: JsonSchema): string {
  let text = '';
  for (const part of schemasWithin(schema)) {
    const { properties, description } = part as { properties?: object; description?: unknown };
    if (typeof properties === 'object') text += `${Object.keys(properties).join(' ')} `;
    if (typeof description === 'string') text += `${description} `;
    if (text.length > LONGEST) break;
  }
  return text.slice(0, LONGEST);
}
