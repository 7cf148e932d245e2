import type { Rule } from './rule.js';
import { declarationTokens } from '../sizes/declaration-tokens.js';

const LARGEST = 1_000;

export const largeDeclaration: Rule = {
  name: 'large-declaration',
  severity: 'warning',
  about: `a tool whose declaration costs more than some ${String(LARGEST)} tokens in every request`,
  ofTool(tool, [dialect]) {
    const tokens = declarationTokens(tool, dialect);
    if (tokens <= LARGEST) return [];
    const message = `The declaration of ${tool.origin} takes some ${String(tokens)} tokens in every request.`;
    return [{ node: tool.node, message, cure: 'Shorten what it says, take fewer parameters, or split it.' }];
  },
};
