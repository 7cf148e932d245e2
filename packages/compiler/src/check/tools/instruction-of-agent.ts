import { constantPieces } from '@adorn/core/compiler';

import { constantOf } from '../../source/constant.js';
import { followed } from '../../source/followed.js';
import { propertyOf } from '../../source/literals.js';
import { ts } from '../../typescript.js';
import type { FoundAgent, FoundInstruction } from './found-tool.js';

/** The option `instruction` of an agent. Empty if it has none, or one whose text is known only at run time. */
export function instructionIn(
  options: ts.Expression | undefined,
  checker: ts.TypeChecker,
): Pick<FoundAgent, 'instruction'> {
  const node = propertyOf(options, 'instruction', checker);
  if (!node || propertyOf(options, 'staticInstruction', checker)) return {};
  const instruction = instructionOf(node, checker);
  return instruction ? { instruction } : {};
}

function instructionOf(
  node: ts.Expression | ts.MethodDeclaration,
  checker: ts.TypeChecker,
): FoundInstruction | undefined {
  if (ts.isMethodDeclaration(node)) return { node, pieces: undefined };
  const value = followed(node, checker);
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return { node, pieces: undefined };
  if (ts.isTaggedTemplateExpression(value)) return { node, pieces: templatePieces(value.template) };
  const text = constantOf(value, checker)?.value;
  return typeof text === 'string' ? { node, pieces: constantPieces(text) } : undefined;
}

function templatePieces(template: ts.TemplateLiteral): string[] {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text];
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
}
