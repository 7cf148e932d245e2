import type { JsonSchema, Tool } from '@adorn/core';
import { schemasWithin } from '@adorn/core/backend';

import { inWords } from './words.js';

/** The searched text of the parameters of one tool, in characters: bodies of large APIs say more than anybody asks for. */
const LONGEST = 8_000;

/** What is embedded of a description, in characters, and how many names of parameters: the vector of a long text says little of it. */
const EMBEDDED = { description: 400, parameters: 20 };

/** What of a tool is searched. */
export interface ToolText {
  readonly name: string;
  readonly description: string;
  /** Names and descriptions of its parameters, also of nested ones. */
  readonly parameters: string;
}

export function toolText(tool: Tool): ToolText {
  let parameters = '';
  for (const { names, description } of parametersOf(tool)) {
    parameters += `${names.join(' ')} ${description} `;
    if (parameters.length > LONGEST) break;
  }
  return { name: tool.name, description: descriptionOf(tool), parameters: parameters.slice(0, LONGEST) };
}

/** The text of a tool for an embedder: its name in words, what it does, and what it needs. */
export function textOfTool(tool: Tool): string {
  const parameters = new Set<string>();
  for (const { names } of parametersOf(tool)) {
    for (const name of names) parameters.add(inWords(name));
    if (parameters.size >= EMBEDDED.parameters) break;
  }
  const description = descriptionOf(tool).slice(0, EMBEDDED.description);
  const needed = [...parameters].slice(0, EMBEDDED.parameters).join(', ');
  return `${inWords(tool.name)}. ${description} ${needed}`.slice(0, LONGEST);
}

function descriptionOf(tool: Tool): string {
  return tool.declaration()?.description ?? '';
}

/** The names and the description of each level of the parameters. */
function* parametersOf(tool: Tool): Generator<{ names: readonly string[]; description: string }> {
  const schema = (tool.declaration()?.parametersJsonSchema ?? {}) as JsonSchema;
  for (const part of schemasWithin(schema)) {
    const { properties, description } = part as { properties?: unknown; description?: unknown };
    yield {
      names: typeof properties === 'object' ? Object.keys(properties ?? {}) : [],
      description: typeof description === 'string' ? description : '',
    };
  }
}
