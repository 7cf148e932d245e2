import { SchemaDocument } from '@adorn/core/backend';

import { declarationTokens } from '../sizes/declaration-tokens.js';
import type { Rule } from './rule.js';

/** OpenAI refuses a request with a longer one. */
const LONGEST_DESCRIPTION = 1_024;

export const longDescription: Rule = {
  name: 'long-description',
  severity: 'warning',
  about: `a tool's description of more than ${String(LONGEST_DESCRIPTION)} characters, which OpenAI refuses`,
  ofTool({ origin, node, declaration }) {
    const length = declaration?.description.length ?? 0;
    if (length <= LONGEST_DESCRIPTION) return [];
    const message = `The description of ${origin} has ${String(length)} characters, and OpenAI takes ${String(LONGEST_DESCRIPTION)}.`;
    return [
      {
        node,
        message,
        cure: 'Say when to use the tool; put how it works below @remarks, which models are not told.',
      },
    ];
  },
};

const LONGEST_ENUM = 100;

export const longEnum: Rule = {
  name: 'long-enum',
  severity: 'warning',
  about: `a parameter with more than ${String(LONGEST_ENUM)} values to choose from, all of them sent in every request`,
  ofTool: ({ origin, declaration, parameters }) =>
    parameters.flatMap(({ name, node, schema }) => {
      const document = new SchemaDocument(declaration?.parametersJsonSchema ?? {});
      const lengths = [...document.reachable(schema)].map(lengthOfEnum);
      const longest = Math.max(0, ...lengths);
      if (longest <= LONGEST_ENUM) return [];
      const message = `Parameter "${name}" of ${origin} has ${String(longest)} values to choose from; all are sent in every request.`;
      return [{ node, message, cure: 'Take a string, and offer a tool that looks values up.' }];
    }),
};

function lengthOfEnum({ enum: values }: Readonly<Record<string, unknown>>): number {
  return Array.isArray(values) ? values.length : 0;
}

const LARGEST_DECLARATION = 1_000;

export const largeDeclaration: Rule = {
  name: 'large-declaration',
  severity: 'warning',
  about: `a tool whose declaration costs more than some ${String(LARGEST_DECLARATION)} tokens in every request`,
  ofTool(tool, [dialect]) {
    const tokens = declarationTokens(tool, dialect);
    if (tokens <= LARGEST_DECLARATION) return [];
    const message = `The declaration of ${tool.origin} takes some ${String(tokens)} tokens in every request.`;
    return [{ node: tool.node, message, cure: 'Shorten what it says, take fewer parameters, or split it.' }];
  },
};
