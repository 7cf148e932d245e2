import { FunctionTool, type Tool, type ToolContext } from '@adorn/core';

import { MOST_FOUND, type SearchableOptions } from './options.js';

/** What a search has found. */
export interface FoundTools {
  /** The tools, best first. */
  readonly found: readonly Tool[];
  /** Tools that fit less: the result names them, so that the model may ask for one by its name. */
  readonly more: readonly Tool[];
  /** The toolsets that cannot be listed now, each with the reason. */
  readonly unavailable: readonly string[];
  /** Names of tools that were found before, and that their sources do not have any more. */
  readonly gone: readonly string[];
}

/** How many tools one search finds, by default. */
const FOUND = 5;

/** How much of a description a result shows, in characters: the declaration has all of it. */
const SHOWN = 240;

const DESCRIPTION =
  'Search for tools by words: most of your tools are not declared until they are found. Search before you say that something ' +
  'cannot be done. Ask for one action at a time, by its verb and its object, such as "refund order". What is found can be ' +
  'called from your next answer on, for the rest of the conversation. "more" names tools that fit less: to get one, search for its name.';

const NOTHING =
  'No tool has any of these words. Search again with other words for the action and its object, or answer without a tool.';

/** The tool that searches. Its declaration is always the same, whatever is found. */
export function searchTool(
  { name, about, limit = FOUND }: SearchableOptions & { readonly name: string },
  find: (query: string, limit: number, context: ToolContext) => Promise<FoundTools>,
): Tool {
  return new FunctionTool({
    name,
    description: about === undefined ? DESCRIPTION : `${DESCRIPTION}\nThe tools: ${about}`,
    effect: 'read',
    parameters: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          maxLength: 1_000,
          description: 'The action and its object in a few words, or the name of a tool.',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MOST_FOUND,
          description: `How many tools to find at most. Default: ${String(limit)}.`,
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    run: async ({ query, limit: wanted = limit }, context) =>
      resultOf(await find(String(query), Number(wanted), context)),
  });
}

function resultOf({ found, more, unavailable, gone }: FoundTools): object {
  return {
    tools: found.map((tool) => ({ name: tool.name, description: shortened(descriptionOf(tool)) })),
    more: more.length > 0 ? more.map(({ name }) => name) : undefined,
    note: found.length === 0 ? NOTHING : undefined,
    unavailable: unavailable.length > 0 ? unavailable : undefined,
    gone: gone.length > 0 ? gone : undefined,
  };
}

function descriptionOf(tool: Tool): string {
  return (tool.declaration()?.description ?? '').replaceAll(/\s+/g, ' ').trim();
}

function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
