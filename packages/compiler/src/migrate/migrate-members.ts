import { ts } from '../typescript.js';
import { type ByHand, byHand } from './by-hand.js';
import type { NameChange } from './migrate-source.js';
import { type Rename, RENAMES } from './renames.js';
import { walk } from './source-file.js';
import type { ExportedName } from './successor.js';
import type { TextEdit } from './text-edits.js';

/** A row of the table that is about members of a type. */
export type MemberRename = Extract<Rename, { readonly of: string }>;

/** A changed member of a type, with the type. */
interface Member {
  readonly rename: MemberRename;
  readonly type: ts.Symbol;
}

/** What changes in one source, because members of types have other names. */
export interface MemberMigration {
  readonly edits: readonly TextEdit[];
  /** The names are those of types and members: `ChannelPerson.team`. */
  readonly changes: readonly NameChange[];
  readonly byHand: readonly ByHand[];
}

/** The changed members that the texts of a project may use: those of types whose module one of them imports. */
export function memberRenamesFor(
  texts: readonly string[],
  renames: readonly Rename[] = RENAMES,
): MemberRename[] {
  return renames
    .filter((one) => one.kind === 'member renamed' || one.kind === 'member removed')
    .filter(({ from }) => texts.some((text) => from.some((entry) => text.includes(entry))));
}

/** True if a text has the name of one of the members. */
export function mayUse(text: string, renames: readonly MemberRename[]): boolean {
  return renames.some(({ names }) => Object.keys(names).some((name) => text.includes(name)));
}

/** The options and other members of Adorn's types that a source names, in today's names. Types decide which they are. */
export function migrateMembers(
  source: ts.SourceFile,
  program: ts.Program,
  renames: readonly MemberRename[],
): MemberMigration {
  const checker = program.getTypeChecker();
  const members = renames.flatMap((rename) => membersOf(rename, program));
  const edits: TextEdit[] = [];
  const changes = new Map<string, NameChange>();
  const left: ByHand[] = [];
  walk(source, (node) => {
    const use = memberUseOf(node, checker);
    const found = use && members.find(({ rename, type }) => isNamed(rename, use) && has(use.owner, type));
    if (!found) return;
    const { rename } = found;
    const to = rename.names[use.name.text] ?? '';
    if (rename.kind === 'member removed') {
      left.push(byHand(use.name, use.name.text, `Write ${to}.`));
      return;
    }
    edits.push(nameEdit(use, to));
    const [entry = ''] = rename.from;
    const named = (name: string): ExportedName => ({ entry, name: `${rename.of}.${name}` });
    changes.set(`${rename.of}.${to}`, { from: named(use.name.text), to: named(to) });
  });
  return { edits, changes: [...changes.values()], byHand: left };
}

/** The type of the members, as the first import of its module in the program has it. */
function membersOf(rename: MemberRename, program: ts.Program): Member[] {
  const checker = program.getTypeChecker();
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile) continue;
    for (const statement of file.statements) {
      if (!ts.isImportDeclaration(statement)) continue;
      const { moduleSpecifier } = statement;
      if (!ts.isStringLiteral(moduleSpecifier) || !rename.from.includes(moduleSpecifier.text)) continue;
      const module = checker.getSymbolAtLocation(moduleSpecifier);
      const exported = module && checker.tryGetMemberInModuleExports(rename.of, module);
      if (exported) return [{ rename, type: unaliased(exported, checker) }];
    }
  }
  return [];
}

function unaliased(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

/** A name of a member, and the type of the object that has it. */
interface MemberUse {
  readonly name: ts.Identifier | ts.StringLiteral;
  readonly owner: ts.Type;
  /** True for `{ name }`, in which the name is of a variable, too. */
  readonly isShorthand: boolean;
}

function memberUseOf(node: ts.Node, checker: ts.TypeChecker): MemberUse | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.name))
    return { name: node.name, owner: checker.getTypeAtLocation(node.expression), isShorthand: false };
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
    const name = node.propertyName ?? node.name;
    if (!isWrittenName(name)) return undefined;
    return { name, owner: checker.getTypeAtLocation(node.parent), isShorthand: !node.propertyName };
  }
  if (!ts.isObjectLiteralElementLike(node) || !node.name || !isWrittenName(node.name)) return undefined;
  const owner = checker.getContextualType(node.parent as ts.ObjectLiteralExpression);
  return owner && { name: node.name, owner, isShorthand: ts.isShorthandPropertyAssignment(node) };
}

function isWrittenName(name: ts.Node): name is MemberUse['name'] {
  return ts.isIdentifier(name) || ts.isStringLiteral(name);
}

/** The new name in the place of the old one: in its quotes, if it has some. */
function nameEdit({ name, isShorthand }: MemberUse, to: string): TextEdit {
  const quote = ts.isStringLiteral(name) ? name.getText().charAt(0) : '';
  const text = isShorthand ? `${to}: ${name.text}` : `${quote}${to}${quote}`;
  return { start: name.getStart(), end: name.end, text };
}

function isNamed({ names }: MemberRename, { name }: MemberUse): boolean {
  return Object.hasOwn(names, name.text);
}

/** True if the type is that of the symbol, or one of several types that it may be. */
function has(type: ts.Type, symbol: ts.Symbol): boolean {
  if (type.isUnionOrIntersection()) return type.types.some((one) => has(one, symbol));
  return type.symbol === symbol || type.aliasSymbol === symbol;
}
