import { readFileSync } from 'node:fs';

import ts from 'typescript';

/** The titles of the tests in a spec, without those that are skipped or still to do. */
export function titlesIn(path: string): Set<string> {
  return titlesOf(readFileSync(path, 'utf8'));
}

/** The titles in the text of a spec, as they are written: those of a table with their places. */
export function titlesOf(text: string): Set<string> {
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title) && isTest(node.expression)) titles.add(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.spec.ts', text, ts.ScriptTarget.Latest));
  return titles;
}

/** True of `it`, `test`, and what either is called through, such as `it.each(…)`. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'it' || callee.text === 'test';
  if (ts.isPropertyAccessExpression(callee))
    return callee.name.text !== 'skip' && callee.name.text !== 'todo' && isTest(callee.expression);
  if (ts.isCallExpression(callee)) return isTest(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isTest(callee.tag);
}
