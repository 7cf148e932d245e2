import type { Rule } from './rule.js';

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
