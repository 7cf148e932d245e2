import type { JsonSchema } from '@adorn/core';
import { SchemaDocument, subschemasOf } from '@adorn/core/backend';

import { declarationTokens } from '../declaration-sizes.js';
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
        cure: 'Say when to use the tool; put how it works below @privateRemarks, which models are not told.',
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

const MOST_PARAMETERS = 8;

export const tooManyParameters: Rule = {
  name: 'too-many-parameters',
  severity: 'warning',
  about: `a tool with more than ${String(MOST_PARAMETERS)} parameters, which models fill in wrongly`,
  ofTool({ origin, node, parameters }) {
    if (parameters.length <= MOST_PARAMETERS) return [];
    const message = `${origin} has ${String(parameters.length)} parameters; more than ${String(MOST_PARAMETERS)} are filled in wrongly.`;
    return [{ node, message, cure: 'Split the tool, or take together what belongs together in one object.' }];
  },
};

const MOST_TOOLS = 20;

export const tooManyTools: Rule = {
  name: 'too-many-tools',
  severity: 'warning',
  about: `an agent with more than ${String(MOST_TOOLS)} tools, among which models choose badly`,
  ofAgent({ name, node, tools, boxed }) {
    const offered = tools.length - boxed;
    if (offered <= MOST_TOOLS) return [];
    const message = `Agent ${name} has ${String(offered)} tools; among more than ${String(MOST_TOOLS)} models choose badly.`;
    const cure =
      'Give some of them to a sub-agent that is transferred to, or put @toolbox({ unfold: true }) on a class.';
    return [{ node, message, cure }];
  },
};

/** As deep as the strictest of the providers goes, the arguments themselves counted. */
const DEEPEST = 5;

export const deepNesting: Rule = {
  name: 'deep-nesting',
  severity: 'warning',
  about: `objects within objects, more than ${String(DEEPEST)} of them, the arguments counted`,
  ofTool({ origin, declaration, parameters }) {
    const document = new SchemaDocument(declaration?.parametersJsonSchema ?? {});
    return parameters.flatMap(({ name, node, schema }) => {
      const depth = 1 + depthOf(schema, document);
      if (depth <= DEEPEST) return [];
      const message = `Parameter "${name}" of ${origin} nests objects ${String(depth)} deep, the arguments counted.`;
      return [{ node, message, cure: 'Take the inner parts as parameters of their own, or split the tool.' }];
    });
  },
};

/** The nesting depth of objects; recursive schemas count once. */
function depthOf(schema: JsonSchema, document: SchemaDocument, within: readonly JsonSchema[] = []): number {
  const target = document.targetOf(schema);
  if (target) return within.includes(target) ? 0 : depthOf(target, document, [...within, target]);
  const parts = subschemasOf(schema).map((part) => depthOf(part, document, within));
  return (schema['type'] === 'object' ? 1 : 0) + Math.max(0, ...parts);
}
