import { ts } from '../typescript.js';
import { type ByHand, byHand } from './by-hand.js';
import { ImportEdits } from './import-edits.js';
import { SourceText, walk } from './source-file.js';
import {
  asListDeclaration,
  isTypeOnly,
  type ListDeclaration,
  moduleEdit,
  type SpecifierNode,
  specifiersOf,
} from './specifier-list.js';
import { type ExportedName, findSuccessor, isEntry, type Successor } from './successor.js';
import { applyEdits, type TextEdit } from './text-edits.js';

/** A name that was changed. */
export interface NameChange {
  readonly from: ExportedName;
  readonly to: ExportedName;
}

/** A source in today's names of Adorn. */
export interface MigratedSource {
  readonly text: string;
  readonly changes: readonly NameChange[];
  readonly byHand: readonly ByHand[];
}

/**
 * Writes a source with today's names. Only what is bound to an import of Adorn is changed: everything else stays as it is
 * written, byte by byte.
 *
 * @param path decides by its extension how the text is read
 */
export function migrateSource(path: string, text: string): MigratedSource {
  if (!text.includes('adorn')) return { text, changes: [], byHand: [] };
  return new SourceMigration(path, text).run();
}

class SourceMigration {
  private readonly source: SourceText;
  private readonly imports: ImportEdits;
  private readonly edits: TextEdit[] = [];
  private readonly changes: NameChange[] = [];
  private readonly byHand: ByHand[] = [];

  constructor(
    path: string,
    private readonly text: string,
  ) {
    this.source = new SourceText(path, text);
    this.imports = new ImportEdits(this.source, text);
  }

  run(): MigratedSource {
    const { file } = this.source;
    // A value may be used as a type, too, so what is imported as a type only comes last.
    const lists = file.statements.flatMap((one) => asListDeclaration(one) ?? []);
    for (const list of lists.filter((one) => !isTypeOnly(one))) this.migrateList(list);
    for (const statement of file.statements) this.migrateNamespace(statement);
    for (const list of lists.filter(isTypeOnly)) this.migrateList(list);
    walk(file, (node) => {
      if (ts.isImportTypeNode(node)) this.migrateImportType(node);
      if (ts.isCallExpression(node)) this.reviewLoading(node);
    });
    const text = applyEdits(this.text, [...this.edits, ...this.imports.edits()]);
    return { text, changes: this.changes, byHand: this.byHand };
  }

  private migrateList(declaration: ListDeclaration): void {
    const entry = entryOf(declaration.moduleSpecifier);
    if (entry === undefined) return;
    for (const node of specifiersOf(declaration)) {
      const from = { entry, name: (node.propertyName ?? node.name).text };
      const successor = findSuccessor(from);
      if (successor?.kind === 'renamed') this.renameSpecifier(declaration, node, from, successor);
      if (successor?.kind === 'removed') this.reviewRemoved(node, from, successor);
    }
  }

  private renameSpecifier(
    declaration: ListDeclaration,
    node: SpecifierNode,
    from: ExportedName,
    to: ExportedName,
  ): void {
    const { owner, member } = partsOf(to.name);
    const isType = isTypeOnly(declaration) || node.isTypeOnly;
    if (ts.isExportSpecifier(node)) {
      if (member !== '') {
        this.reviewExport(node, from, to);
        return;
      }
      const specifier = { imported: owner, local: node.name.text, isType };
      this.imports.replaceExport(node, { entry: to.entry, specifier });
    } else {
      const exported = this.source.usesOf(node.name).find(({ parent }) => ts.isExportSpecifier(parent));
      if (exported && member !== '') {
        this.reviewExport(exported, from, to);
        return;
      }
      const isOwnName = node.propertyName !== undefined && member === '';
      const specifier = { imported: owner, local: isOwnName ? node.name.text : owner, isType };
      const fallback = member === '' ? node.name.text : undefined;
      const local = this.imports.replaceImport(node, { entry: to.entry, specifier }, fallback);
      this.replaceUses(node.name, local + member);
    }
    this.noteChange(from, to);
  }

  /** Writes the new name at every use of an imported one. */
  private replaceUses(declared: ts.Identifier, name: string): void {
    if (declared.text === name) return;
    for (const use of this.source.usesOf(declared)) {
      const { parent } = use;
      if (ts.isShorthandPropertyAssignment(parent)) {
        this.replaceNode(use, `${use.text}: ${name}`);
      } else if (ts.isExportSpecifier(parent) && parent.propertyName === undefined) {
        this.replaceNode(use, `${name} as ${use.text}`);
      } else {
        this.replaceNode(use, name);
      }
    }
  }

  /** `import * as adorn from 'adorn'`, and what is read from it. */
  private migrateNamespace(statement: ts.Statement): void {
    const declared = namespaceOf(statement);
    if (!declared) return;
    for (const use of this.source.usesOf(declared.name)) {
      const access = memberAccessOf(use);
      if (!access) continue;
      const from = { entry: declared.entry, name: access.member.text };
      const successor = findSuccessor(from);
      if (successor?.kind === 'removed') this.note(access.member, from.name, adviceOf(successor));
      if (successor?.kind !== 'renamed') continue;
      if (successor.entry === declared.entry) this.replaceNode(access.member, successor.name);
      else {
        const { owner, member } = partsOf(successor.name);
        const isType = ts.isPartOfTypeNode(access.node);
        const specifier = { imported: owner, local: owner, isType };
        const local = this.imports.add(statement, { entry: successor.entry, specifier });
        this.replaceNode(access.node, local + member);
      }
      this.noteChange(from, successor);
    }
  }

  /** `import('adorn').Name`. */
  private migrateImportType({ argument, qualifier }: ts.ImportTypeNode): void {
    const literal = ts.isLiteralTypeNode(argument) ? argument.literal : undefined;
    const entry = literal && entryOf(literal);
    if (literal === undefined || entry === undefined || qualifier === undefined) return;
    const name = leftmost(qualifier);
    const from = { entry, name: name.text };
    const successor = findSuccessor(from);
    if (successor?.kind === 'removed') this.note(name, from.name, adviceOf(successor));
    if (successor?.kind !== 'renamed') return;
    this.replaceNode(name, successor.name);
    if (successor.entry !== entry) this.edits.push(moduleEdit(literal, successor.entry));
    this.noteChange(from, successor);
  }

  /** `await import('adorn')` and `require('adorn')`: what is read from them is left to a person. */
  private reviewLoading(call: ts.CallExpression): void {
    const [argument] = call.arguments;
    const entry = isLoading(call) && argument ? entryOf(argument) : undefined;
    if (entry === undefined) return;
    for (const name of namesReadFrom(call)) {
      const successor = findSuccessor({ entry, name: name.text });
      if (successor) this.note(name, name.text, adviceOf(successor, entry));
    }
  }

  private reviewRemoved(node: SpecifierNode, from: ExportedName, successor: Successor): void {
    const uses = ts.isImportSpecifier(node) ? this.source.usesOf(node.name) : [];
    for (const use of uses.length > 0 ? uses : [node]) this.note(use, from.name, adviceOf(successor));
  }

  private reviewExport(node: ts.Node, from: ExportedName, to: ExportedName): void {
    this.note(node, from.name, `It is ${to.name} of ${to.entry} now: export a constant or a type with it.`);
  }

  private note(node: ts.Node, name: string, advice: string): void {
    this.byHand.push(byHand(node, name, advice));
  }

  private noteChange(from: ExportedName, to: ExportedName): void {
    const isNoted = this.changes.some(
      ({ from: { entry, name } }) => entry === from.entry && name === from.name,
    );
    if (!isNoted) this.changes.push({ from, to: { entry: to.entry, name: to.name } });
  }

  private replaceNode(node: ts.Node, text: string): void {
    this.edits.push({ start: node.getStart(), end: node.end, text });
  }
}

/** What to write in the place of a name. */
function adviceOf(successor: Successor, entry?: string): string {
  if (successor.kind === 'removed') return `Write ${successor.advice}.`;
  return successor.entry === entry
    ? `It is ${successor.name} now.`
    : `It is ${successor.name} of ${successor.entry} now.`;
}

/** `workflow` and `.loop` of `workflow.loop`. */
function partsOf(name: string): { readonly owner: string; readonly member: string } {
  const point = name.indexOf('.');
  return point < 0 ? { owner: name, member: '' } : { owner: name.slice(0, point), member: name.slice(point) };
}

/** The module of Adorn that a text names. */
function entryOf(specifier: ts.Node): string | undefined {
  return ts.isStringLiteralLike(specifier) && isEntry(specifier.text) ? specifier.text : undefined;
}

function namespaceOf(
  statement: ts.Statement,
): { readonly name: ts.Identifier; readonly entry: string } | undefined {
  if (ts.isImportDeclaration(statement)) {
    const bindings = statement.importClause?.namedBindings;
    const entry = entryOf(statement.moduleSpecifier);
    return entry !== undefined && bindings && ts.isNamespaceImport(bindings)
      ? { name: bindings.name, entry }
      : undefined;
  }
  if (!ts.isImportEqualsDeclaration(statement)) return undefined;
  const { moduleReference, name } = statement;
  const entry = ts.isExternalModuleReference(moduleReference)
    ? entryOf(moduleReference.expression)
    : undefined;
  return entry === undefined ? undefined : { name, entry };
}

/** The `adorn.Name` whose `adorn` is given. */
function memberAccessOf(
  use: ts.Identifier,
): { readonly node: ts.Node; readonly member: ts.Identifier } | undefined {
  const { parent } = use;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === use && ts.isIdentifier(parent.name))
    return { node: parent, member: parent.name };
  if (ts.isQualifiedName(parent) && parent.left === use) return { node: parent, member: parent.right };
  return undefined;
}

function leftmost(name: ts.EntityName): ts.Identifier {
  return ts.isIdentifier(name) ? name : leftmost(name.left);
}

function isLoading({ expression }: ts.CallExpression): boolean {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === 'require')
  );
}

/** The names in `const { Name } = await import('adorn')` and `(await import('adorn')).Name`. */
function namesReadFrom(call: ts.CallExpression): ts.Identifier[] {
  let read: ts.Node = call;
  while (ts.isAwaitExpression(read.parent) || ts.isParenthesizedExpression(read.parent)) read = read.parent;
  const { parent } = read;
  if (ts.isPropertyAccessExpression(parent) && ts.isIdentifier(parent.name)) return [parent.name];
  if (!ts.isVariableDeclaration(parent) || !ts.isObjectBindingPattern(parent.name)) return [];
  return parent.name.elements
    .map(({ propertyName, name }) => propertyName ?? name)
    .filter((name) => ts.isIdentifier(name));
}
