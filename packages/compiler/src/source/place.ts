import type { ts } from '../typescript.js';
import { shownPath } from '../program/shown-path.js';

/** The file and line of a node, as editors and terminals make a link of it. */
export function placeOf(node: ts.Node): { readonly file: string; readonly line: number } {
  const file = node.getSourceFile();
  return { file: file.fileName, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1 };
}

/** The same for a message. */
export function printedPlace(node: ts.Node): string {
  const { file, line } = placeOf(node);
  return `${shownPath(file)}:${String(line)}`;
}
