import { rulesOf } from '@adorn/core/dialects';

import { ts } from '../../typescript.js';
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

export const untypedParameter: Rule = {
  name: 'untyped-parameter',
  severity: 'warning',
  about: 'a parameter of type any or unknown, for which a model sends whatever it likes',
  ofTool: ({ origin, parameters }) =>
    parameters
      .filter(({ schema }) => !('$ref' in schema) && rulesOf(schema).every((keyword) => ADVICE.has(keyword)))
      .map(({ name, node }) => ({
        node,
        message: `Parameter "${name}" of ${origin} may be anything.`,
        cure: 'Write the type that the method works with.',
      })),
};

/** A default or an example does not describe other values. */
const ADVICE: ReadonlySet<string> = new Set(['default', 'examples']);

export const omittedFunction: Rule = {
  name: 'omitted-function',
  severity: 'note',
  about: 'an optional member of a parameter type that is a function, so that no schema has it',
  ofTool: ({ origin, node, omitted = new Set() }) =>
    [...omitted].map((member) => ({
      node,
      message: `${origin} is not told ${member}, which is a function: no call can have it.`,
      cure: 'Nothing need be done.',
    })),
};

export const mergedOverloads: Rule = {
  name: 'merged-overloads',
  severity: 'warning',
  about: 'a tool with overloads, of which the model is told the signature of the implementation alone',
  ofTool({ origin, node }) {
    const overloads = overloadsOf(node).length;
    if (overloads === 0) return [];
    const count = overloads === 1 ? 'an overload' : `${String(overloads)} overloads`;
    return [
      {
        node,
        message: `${origin} has ${count}, and the model is told only the signature of the implementation.`,
        cure: 'Write one signature, or make each overload a tool of its own.',
      },
    ];
  },
};

function overloadsOf(node: ts.Node): readonly ts.Node[] {
  if (ts.isMethodDeclaration(node) && ts.isClassLike(node.parent))
    return node.parent.members.filter((one) => ts.isMethodDeclaration(one) && isOverload(one, node));
  if (!ts.isFunctionDeclaration(node)) return [];
  const { parent } = node;
  const statements = ts.isSourceFile(parent) || ts.isBlock(parent) ? parent.statements : [];
  return statements.filter((one) => ts.isFunctionDeclaration(one) && isOverload(one, node));
}

function isOverload(
  one: ts.MethodDeclaration | ts.FunctionDeclaration,
  implementation: ts.MethodDeclaration | ts.FunctionDeclaration,
): boolean {
  return one.body === undefined && one.name?.getText() === implementation.name?.getText();
}
