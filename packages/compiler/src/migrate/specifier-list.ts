import { ts } from '../typescript.js';
import type { TextEdit } from './text-edits.js';

/** A name in the braces of an import or an export. */
export interface Specifier {
  /** The name in the module. */
  readonly imported: string;
  /** The name in this file, or for an export the name that this file exports. */
  readonly local: string;
  readonly isType: boolean;
}

/** An import with names in braces, or an export of names of a module. */
export type ListDeclaration =
  | (ts.ImportDeclaration & { readonly importClause: ts.ImportClause & { namedBindings: ts.NamedImports } })
  | (ts.ExportDeclaration & {
      readonly exportClause: ts.NamedExports;
      readonly moduleSpecifier: ts.Expression;
    });

export type SpecifierNode = ts.ImportSpecifier | ts.ExportSpecifier;

/** The declaration, if it has names in braces and a module. */
export function asListDeclaration(statement: ts.Statement): ListDeclaration | undefined {
  const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
  if (bindings !== undefined && ts.isNamedImports(bindings)) return statement as ListDeclaration;
  const isExport =
    ts.isExportDeclaration(statement) &&
    statement.moduleSpecifier !== undefined &&
    statement.exportClause !== undefined &&
    ts.isNamedExports(statement.exportClause);
  return isExport ? (statement as ListDeclaration) : undefined;
}

/** The names in the braces. */
export function specifiersOf(declaration: ListDeclaration): ts.NodeArray<SpecifierNode> {
  return ts.isImportDeclaration(declaration)
    ? declaration.importClause.namedBindings.elements
    : declaration.exportClause.elements;
}

/** The module that the declaration names. */
export function moduleOf({ moduleSpecifier }: ListDeclaration): string {
  return ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
}

/** True for `import type { … }` and `export type { … }`. */
export function isTypeOnly(declaration: ListDeclaration): boolean {
  return ts.isImportDeclaration(declaration) ? isOfTypes(declaration.importClause) : declaration.isTypeOnly;
}

/** True for the clause of `import type …`. */
export function isOfTypes({ phaseModifier }: ts.ImportClause): boolean {
  return phaseModifier === ts.SyntaxKind.TypeKeyword;
}

/** Another module in the place of one, in its quotes. */
export function moduleEdit(literal: ts.Node, entry: string): TextEdit {
  const quote = literal.getText().charAt(0);
  return { start: literal.getStart(), end: literal.end, text: `${quote}${entry}${quote}` };
}

/** How the name is written in braces. */
export function written({ imported, local, isType }: Specifier, inTypes: boolean): string {
  const name = imported === local ? local : `${imported} as ${local}`;
  return isType && !inTypes ? `type ${name}` : name;
}

/** Takes names out of the braces; at least one stays. Comments behind names that stay are kept. */
export function removals(
  text: string,
  all: ts.NodeArray<SpecifierNode>,
  dropped: ReadonlySet<SpecifierNode>,
): TextEdit[] {
  const edits: TextEdit[] = [];
  const lastKept = all.findLastIndex((one) => !dropped.has(one));
  for (const [index, one] of all.entries()) {
    const next = all[index + 1];
    if (!dropped.has(one) || index > lastKept || next === undefined) continue;
    edits.push({ start: behindComments(text, one), end: behindComments(text, next), text: '' });
  }
  const [kept, first, last] = [all[lastKept], all[lastKept + 1], all.at(-1)];
  if (kept === undefined || first === undefined || last === undefined) return edits;
  const [start, end] = all.hasTrailingComma
    ? [behindComments(text, first), text.indexOf(',', last.end) + 1]
    : [kept.end, last.end];
  return [...edits, { start, end, text: '' }];
}

/** Where a name begins with the white space before it, behind a comment on the line of the name before. */
function behindComments(text: string, specifier: SpecifierNode): number {
  const start = specifier.getFullStart();
  return ts.getTrailingCommentRanges(text, start)?.at(-1)?.end ?? start;
}

/** Adds names behind one that stays, each on a line of its own if the names are. */
export function addition(text: string, behind: SpecifierNode, added: readonly string[]): TextEdit {
  const before = text.slice(0, behind.getStart());
  const [gap = ' '] = /[ \t]*\r?\n[ \t]*$/.exec(before) ?? [];
  return { start: behind.end, end: behind.end, text: added.map((name) => `,${gap}${name}`).join('') };
}
