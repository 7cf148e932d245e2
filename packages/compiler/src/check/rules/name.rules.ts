import { isToolName } from '@adorn/core/compiler';

import { printedPlace } from '../../source/place.js';
import { ts } from '../../typescript.js';
import type { FoundTool } from '../tools/found-tool.js';
import type { Finding, Rule } from './rule.js';

export const illegalName: Rule = {
  name: 'illegal-name',
  severity: 'error',
  about: 'a tool name that models cannot call',
  ofTool({ name, origin, node }) {
    if (isToolName(name)) return [];
    const message = `The tool name "${name}" of ${origin} is not valid.`;
    const cure =
      'Start it with a letter or an underscore, continue with letters, digits, _ . : or -, and use at most 64 characters.';
    return [{ node, message, cure, code: 'TOOL_NAME_INVALID' }];
  },
};

/** Generic words: a name that consists only of them could be the name of any tool. */
const EMPTY_WORDS: ReadonlySet<string> = new Set([
  ...['act', 'apply', 'call', 'compute', 'do', 'exec', 'execute', 'fetch', 'get', 'go', 'handle', 'invoke'],
  ...[
    'main',
    'make',
    'manage',
    'operate',
    'perform',
    'process',
    'put',
    'run',
    'set',
    'start',
    'update',
    'work',
  ],
  ...[
    'action',
    'args',
    'data',
    'func',
    'function',
    'handler',
    'helper',
    'info',
    'information',
    'input',
    'it',
  ],
  ...['method', 'misc', 'object', 'operation', 'output', 'params', 'payload', 'result', 'something', 'stuff'],
  ...['thing', 'things', 'this', 'tool', 'util', 'utility', 'value'],
]);

export const genericName: Rule = {
  name: 'generic-name',
  severity: 'warning',
  about: "a name that could be any tool's, such as run, process or handle_data",
  ofTool({ name, origin, node }) {
    const words = name
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word !== '');
    if (words.length === 0 || !words.every((word) => EMPTY_WORDS.has(word))) return [];
    const message = `${origin} is called "${name}", which does not say what it does.`;
    return [{ node, message, cure: 'Name it by a verb and what that is done to, such as refund_order.' }];
  },
};

export const nameTaken: Rule = {
  name: 'name-taken',
  severity: 'error',
  about: 'two tools of one name in one class, or among the tools of one agent',
  ofService: ({ tools, node }) =>
    clashes(tools)
      .filter(({ second }) => second.node.parent === node)
      .map((clash) => toFinding(clash, clash.second.node)),
  ofAgent: ({ name, tools, node }) =>
    clashes(tools)
      .filter((clash) => !areOfOneClass(clash))
      .map((clash) => toFinding(clash, node, `Agent ${name} has two tools`)),
};

interface Clash {
  readonly first: FoundTool;
  readonly second: FoundTool;
}

function clashes(tools: readonly FoundTool[]): Clash[] {
  return tools.flatMap((second, index) => {
    const first = tools.slice(0, index).find(({ name }) => name === second.name);
    return first ? [{ first, second }] : [];
  });
}

function areOfOneClass({ first, second }: Clash): boolean {
  return ts.isClassLike(first.node.parent) && first.node.parent === second.node.parent;
}

function toFinding({ first, second }: Clash, node: Finding['node'], whose = 'Two tools are'): Finding {
  const [one, other] = [first, second].map((tool) => `${tool.origin} (${printedPlace(tool.node)})`);
  return {
    node,
    message: `${whose} called "${second.name}": ${one ?? ''} and ${other ?? ''}.`,
    cure: "Give one of them another name with @tool({ name: '…' }), or a whole class a prefix with @toolbox({ prefix: '…' }).",
    code: 'TOOL_NAME_TAKEN',
  };
}
