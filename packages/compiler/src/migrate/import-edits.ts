import { ts } from '../typescript.js';
import type { SourceText } from './source-file.js';
import {
  addition,
  asListDeclaration,
  isOfTypes,
  isTypeOnly,
  type ListDeclaration,
  moduleEdit,
  moduleOf,
  removals,
  type Specifier,
  type SpecifierNode,
  specifiersOf,
  written,
} from './specifier-list.js';
import type { TextEdit } from './text-edits.js';

/** A name of an entry, as the source will import or export it. */
interface Wanted {
  readonly entry: string;
  specifier: Specifier;
}

/** A name that stands in the place of another one. */
interface Replacement extends Wanted {
  /** True if the source imports the name already, so that nothing takes the place. */
  readonly isKnown: boolean;
}

/** A name for which the source has no place yet: a declaration that imports of the entry, or a new one behind `behind`. */
interface Added extends Wanted {
  readonly behind: ts.Statement;
}

/** The changes of the imports, and of the exports of names of other modules, of one source. */
export class ImportEdits {
  private readonly declarations: readonly ListDeclaration[];
  private readonly replaced = new Map<SpecifierNode, Replacement>();
  private readonly added: Added[] = [];

  constructor(
    private readonly source: SourceText,
    private readonly text: string,
  ) {
    this.declarations = source.file.statements.flatMap((one) => asListDeclaration(one) ?? []);
  }

  /**
   * Replaces an imported name. Its local name is the wanted one, unless the source has it already.
   *
   * @param fallback the local name if the wanted one is taken. Default: the wanted one with a number
   * @returns the local name
   */
  replaceImport(node: ts.ImportSpecifier, { entry, specifier }: Wanted, fallback?: string): string {
    if (specifier.local === node.name.text) {
      this.replaced.set(node, { entry, specifier, isKnown: false });
      return specifier.local;
    }
    const known = this.find(entry, specifier);
    const isFallback = fallback !== undefined && !this.source.isFree(specifier.local);
    const local = known?.local ?? (isFallback ? fallback : this.source.freeName(specifier.local));
    this.replaced.set(node, { entry, specifier: { ...specifier, local }, isKnown: known !== undefined });
    return local;
  }

  /** Replaces a name that the source exports from another module, under the name that it has there. */
  replaceExport(node: ts.ExportSpecifier, wanted: Wanted): void {
    this.replaced.set(node, { ...wanted, isKnown: false });
  }

  /** Imports one more name, and returns its local name. */
  add(behind: ts.Statement, { entry, specifier }: Wanted): string {
    const known = this.find(entry, specifier);
    if (known) return known.local;
    const local = this.source.freeName(specifier.local);
    this.added.push({ entry, specifier: { ...specifier, local }, behind });
    return local;
  }

  /** Everything that changes in the declarations. */
  edits(): TextEdit[] {
    const added = [...this.added];
    const edits: TextEdit[] = [];
    const emptied = new Set<ListDeclaration>();
    for (const declaration of this.declarations) {
      const { inPlace, leaving, dropped } = this.changesOf(declaration);
      edits.push(...inPlace);
      added.push(...leaving);
      const all = specifiersOf(declaration);
      if (dropped.size === all.length) emptied.add(declaration);
      else edits.push(...removals(this.text, all, dropped));
    }
    const behind = new Map<ts.Statement, string[]>();
    for (const group of groupsOf(added)) {
      const host = this.hostOf(group, emptied);
      if (host) edits.push(this.joined(host, group));
      else behind.set(group[0].behind, [...(behind.get(group[0].behind) ?? []), this.declarationOf(group)]);
    }
    const changed = new Set<ts.Statement>([...emptied, ...behind.keys()]);
    return [...edits, ...[...changed].flatMap((one) => this.endOf(one, emptied, behind.get(one) ?? []))];
  }

  /** A value that the source imports, or is about to import, under which name it does. */
  private find(entry: string, { imported, isType }: Specifier): Specifier | undefined {
    const imports = [...this.replaced].flatMap(([node, one]) => (ts.isImportSpecifier(node) ? [one] : []));
    const coming = [...imports, ...this.added].find(
      (one) => one.entry === entry && one.specifier.imported === imported,
    );
    if (coming) {
      coming.specifier = { ...coming.specifier, isType: coming.specifier.isType && isType };
      return coming.specifier;
    }
    const found = this.declarations
      .filter((one) => ts.isImportDeclaration(one) && moduleOf(one) === entry)
      .flatMap((one) =>
        specifiersOf(one).map((node) => ({ node, isOfType: isTypeOnly(one) || node.isTypeOnly })),
      )
      .find(
        ({ node, isOfType }) => (node.propertyName ?? node.name).text === imported && (isType || !isOfType),
      );
    return found && { imported, local: found.node.name.text, isType: found.isOfType };
  }

  private changesOf(declaration: ListDeclaration): {
    readonly inPlace: readonly TextEdit[];
    readonly leaving: readonly Added[];
    readonly dropped: ReadonlySet<SpecifierNode>;
  } {
    const inPlace: TextEdit[] = [];
    const leaving: Added[] = [];
    const dropped = new Set<SpecifierNode>();
    const entry = this.entryOfAll(declaration) ?? moduleOf(declaration);
    if (entry !== moduleOf(declaration)) inPlace.push(moduleEdit(declaration.moduleSpecifier, entry));
    for (const node of specifiersOf(declaration)) {
      const replacement = this.replaced.get(node);
      if (!replacement) continue;
      const name = written(replacement.specifier, isTypeOnly(declaration));
      const isLeaving = replacement.isKnown || replacement.entry !== entry;
      if (isLeaving) dropped.add(node);
      else if (name !== node.getText()) inPlace.push({ start: node.getStart(), end: node.end, text: name });
      if (isLeaving && !replacement.isKnown) leaving.push({ ...replacement, behind: declaration });
    }
    return { inPlace, leaving, dropped };
  }

  /** The new entry of all names of the declaration, if they have the same one and no other import of it is there. */
  private entryOfAll(declaration: ListDeclaration): string | undefined {
    const [first, ...others] = specifiersOf(declaration).map((node) => this.replaced.get(node));
    if (first === undefined || defaultOf(declaration)) return undefined;
    const isOne = [first, ...others].every((one) => one?.entry === first.entry && !one.isKnown);
    const isElsewhere =
      ts.isImportDeclaration(declaration) && this.declarations.some((one) => isImportOf(one, first.entry));
    return isOne && !isElsewhere ? first.entry : undefined;
  }

  /** A declaration of the source to whose names those of the group are added. */
  private hostOf(
    [first, ...others]: Group,
    emptied: ReadonlySet<ListDeclaration>,
  ): ListDeclaration | undefined {
    if (ts.isExportDeclaration(first.behind)) return undefined;
    const hosts = this.declarations.filter(
      (one) => isImportOf(one, first.entry) && !emptied.has(one) && this.entryOfAll(one) === undefined,
    );
    const areTypes = [first, ...others].every(({ specifier }) => specifier.isType);
    return (areTypes ? hosts.find(isTypeOnly) : undefined) ?? hosts.find((one) => !isTypeOnly(one));
  }

  private joined(host: ListDeclaration, group: Group): TextEdit {
    const all = specifiersOf(host);
    const lastKept = all.findLast((node) => !this.isLeaving(node, moduleOf(host))) as SpecifierNode;
    return addition(
      this.text,
      lastKept,
      group.map(({ specifier }) => written(specifier, isTypeOnly(host))),
    );
  }

  private isLeaving(node: SpecifierNode, entry: string): boolean {
    const replacement = this.replaced.get(node);
    return replacement !== undefined && (replacement.isKnown || replacement.entry !== entry);
  }

  /** A new declaration, with the quotes and the semicolon of the one behind which it stands. */
  private declarationOf(group: Group): string {
    const [{ behind, entry }] = group;
    const keyword = ts.isExportDeclaration(behind) ? 'export' : 'import';
    const areTypes = group.every(({ specifier }) => specifier.isType);
    const names = group.map(({ specifier }) => written(specifier, areTypes)).join(', ');
    const [quote = "'"] = /["'](?=[^"']*["'][^"']*$)/.exec(behind.getText()) ?? [];
    const end = behind.getText().endsWith(';') ? ';' : '';
    return `${keyword} ${areTypes ? 'type ' : ''}{ ${names} } from ${quote}${entry}${quote}${end}`;
  }

  /** What becomes of a declaration that has lost all of its names, or behind which new ones stand. */
  private endOf(
    statement: ts.Statement,
    emptied: ReadonlySet<ts.Statement>,
    added: readonly string[],
  ): TextEdit[] {
    const lineEnd = this.text.includes('\r\n') ? '\r\n' : '\n';
    const lines = added.join(lineEnd);
    const { end } = statement;
    if (!emptied.has(statement)) return [{ start: end, end, text: `${lineEnd}${lines}` }];
    const withDefault = defaultOf(statement);
    if (withDefault) {
      const { name, namedBindings } = withDefault;
      const behind = lines === '' ? [] : [{ start: end, end, text: `${lineEnd}${lines}` }];
      return [{ start: name.end, end: namedBindings.end, text: '' }, ...behind];
    }
    const [gap = ''] = lines === '' ? (/^[ \t]*\r?\n/.exec(this.text.slice(end)) ?? []) : [];
    return [{ start: statement.getStart(), end: end + gap.length, text: lines }];
  }
}

type Group = readonly [Added, ...Added[]];

/** Names that can stand in one declaration. */
function groupsOf(added: readonly Added[]): Group[] {
  const groups = new Map<string, [Added, ...Added[]]>();
  for (const one of added) {
    const { behind, entry, specifier } = one;
    const clause = ts.isImportDeclaration(behind) ? behind.importClause : undefined;
    const isAsType = specifier.isType && clause !== undefined && isOfTypes(clause);
    const place = ts.isExportDeclaration(behind) ? behind.pos : isAsType;
    const key = `${entry} ${String(place)}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

function isImportOf(declaration: ListDeclaration, entry: string): boolean {
  return ts.isImportDeclaration(declaration) && moduleOf(declaration) === entry;
}

/** The default import of a declaration that has names, too. */
function defaultOf(
  statement: ts.Statement,
): { readonly name: ts.Identifier; readonly namedBindings: ts.NamedImportBindings } | undefined {
  if (!ts.isImportDeclaration(statement)) return undefined;
  const { name, namedBindings } = statement.importClause ?? {};
  return name && namedBindings && { name, namedBindings };
}
