import { ts } from '../../typescript.js';
import type { Rule } from './rule.js';

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
