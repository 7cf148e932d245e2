import { ts } from '../typescript.js';
import { checkerOf, type NamedValue, namesInScope } from './named-value.js';
import { type EmittedClasses, holderOf } from './emitted-classes.js';

/** Finds the expressions in an emitted file that correspond to names in its source. */
export class EmittedReferences {
  private knownChecker?: ts.TypeChecker;

  constructor(
    private readonly code: ts.SourceFile,
    private readonly classes: EmittedClasses,
  ) {}

  /**
   * The expression that, at an emitted place, is what the source names; undefined where the file does
   * not reach it: TypeScript leaves out what is imported only as a type.
   */
  find({ written, root }: NamedValue, place: ts.Node): string | undefined {
    const names = namesInScope(place, this.checker);
    if (root.valueDeclaration && ts.isClassLike(root.valueDeclaration))
      return nameBoundTo(this.classes.find(root.valueDeclaration), names);
    const text = written.getText();
    const [name = '', ...members] = text.split('.');
    if (names.has(name)) return text;
    const imported = importOf(root);
    const variable = imported && requiredInto(imported.specifier, names);
    return variable === undefined ? undefined : [variable, imported?.name, ...members].join('.');
  }

  private get checker(): ts.TypeChecker {
    this.knownChecker ??= checkerOf(this.code);
    return this.knownChecker;
  }
}

function nameBoundTo(
  node: ts.ClassLikeDeclaration | undefined,
  names: ReadonlyMap<string, ts.Symbol>,
): string | undefined {
  if (!node) return undefined;
  const declarations: readonly (ts.Declaration | undefined)[] = [node, holderOf(node)];
  return nameWhere(names, (declaration) => declarations.includes(declaration));
}

/** The variable that holds a required module, as in `const a = require("./a.js")`. */
function requiredInto(specifier: string, names: ReadonlyMap<string, ts.Symbol>): string | undefined {
  return nameWhere(
    names,
    (declaration) =>
      ts.isVariableDeclaration(declaration) && requiredFrom(declaration.initializer) === specifier,
  );
}

function nameWhere(
  names: ReadonlyMap<string, ts.Symbol>,
  isWanted: (declaration: ts.Declaration) => boolean,
): string | undefined {
  return [...names].find(([, { declarations = [] }]) => declarations.some(isWanted))?.[0];
}

/** Also inside `__importStar(…)` and `__importDefault(…)`. */
function requiredFrom(node: ts.Expression | undefined): string | undefined {
  if (!node || !ts.isCallExpression(node)) return undefined;
  const [argument] = node.arguments;
  if (!argument) return undefined;
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
  return isRequire && ts.isStringLiteral(argument) ? argument.text : requiredFrom(argument);
}

interface Imported {
  readonly specifier: string;
  readonly name: string;
}

/** The imported name and module of the source's import of this name. */
function importOf({ declarations: [declaration] = [] }: ts.Symbol): Imported | undefined {
  if (!declaration) return undefined;
  if (ts.isImportSpecifier(declaration)) {
    return imported(declaration.parent.parent.parent, (declaration.propertyName ?? declaration.name).text);
  }
  return ts.isImportClause(declaration) ? imported(declaration.parent, 'default') : undefined;
}

function imported(
  { moduleSpecifier }: ts.ImportDeclaration | ts.JSDocImportTag,
  name: string,
): Imported | undefined {
  return ts.isStringLiteral(moduleSpecifier) ? { specifier: moduleSpecifier.text, name } : undefined;
}
