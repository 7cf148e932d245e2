import type { ToolFault } from '../tools/found-tool.js';
import type { Finding, Rule } from './rule.js';

export const notDerivable: Rule = {
  name: 'not-derivable',
  severity: 'error',
  about: 'a tool whose schema cannot be derived: a type JSON has no form for, a tag with a wrong value',
  ofTool: ({ faults }) => faults.map(toFinding),
  ofService: ({ faults }) => faults.map(toFinding),
};

function toFinding({ node, error }: ToolFault): Finding {
  return { node, message: error.message, cure: '', code: error.code };
}
