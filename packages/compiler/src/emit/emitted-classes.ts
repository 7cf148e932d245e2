import { ts } from '../typescript.js';

/** A node of a file, and the features that it shares with its emitted node. */
export interface Candidate<Node extends ts.Node> {
  readonly node: Node;
  readonly likeness: string;
}

/** Maps the nodes of a source to their emitted nodes. */
export class Counterparts<Node extends ts.Node> {
  constructor(
    private readonly sources: readonly Candidate<Node>[],
    private readonly emitted: readonly Candidate<Node>[],
  ) {}

  /**
   * The node that was emitted for one of the source. Those that are alike keep their order, but for those that a
   * compiler may move; where that leaves a doubt, or the files do not agree, there is none.
   */
  find(source: ts.Node): Node | undefined {
    const likeness = this.sources.find(({ node }) => node === source)?.likeness;
    const there = this.sources.filter((one) => one.likeness === likeness);
    const here = this.emitted.filter((one) => one.likeness === likeness);
    if (there.length !== here.length || (there.length > 1 && there.some(isMovable))) return undefined;
    return here[there.findIndex(({ node }) => node === source)]?.node;
  }
}

/** True inside a field or decorator: compilers may emit it before or after the methods next to it. */
function isMovable({ node }: Candidate<ts.Node>): boolean {
  const isMoved = (one: ts.Node): boolean => ts.isPropertyDeclaration(one) || ts.isDecorator(one);
  return ts.findAncestor(node, isMoved) !== undefined;
}

/** Maps the classes of a source to the emitted classes with the same name and methods. */
export class EmittedClasses extends Counterparts<ts.ClassLikeDeclaration> {
  constructor(source: ts.SourceFile, emitted: ts.SourceFile) {
    const nodes = classesIn(source);
    const names = new Set(nodes.map(({ name }) => plainName(name)));
    super(
      nodes.map((node) => ({ node, likeness: likenessOf(plainName(node.name), node) })),
      classesIn(emitted).map((node) => ({ node, likeness: likenessOf(emittedName(node, names), node) })),
    );
  }
}

/** In source order; ambient declarations are not emitted. */
function classesIn(file: ts.SourceFile): ts.ClassLikeDeclaration[] {
  const found: ts.ClassLikeDeclaration[] = [];
  const visit = (node: ts.Node): void => {
    if (isDeclaredOnly(node)) return;
    if (ts.isClassLike(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isDeclaredOnly(node: ts.Node): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) ?? false;
}

/** The name of the source's class: the emitted class's own, or that of its variable; else empty. */
function emittedName(node: ts.ClassLikeDeclaration, names: ReadonlySet<string>): string {
  const given = [node.name, holderOf(node)?.name].map(plainName);
  return given.find((name) => name !== '' && names.has(name)) ?? '';
}

/** Compilers add a leading `_` or a trailing number to a name that would clash. */
function plainName(name: ts.Node | undefined): string {
  if (!name || !ts.isIdentifier(name)) return '';
  return name.text.replace(/^_+(?=.)|(?<=.)[_$]?\d+$/g, '');
}

/** The declaration of the variable into which the class is put, as in `let A = A_1 = class A {}`. */
export function holderOf(node: ts.Node): ts.VariableDeclaration | undefined {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent)) return parent;
  return ts.isBinaryExpression(parent) || ts.isParenthesizedExpression(parent) ? holderOf(parent) : undefined;
}

function likenessOf(name: string, node: ts.ClassLikeDeclaration): string {
  return JSON.stringify([name, ...plainMethods(node).map((method) => method.name.text)]);
}

interface PlainMethod extends ts.MethodDeclaration {
  readonly name: ts.Identifier | ts.StringLiteral | ts.NumericLiteral;
}

/** Fields, accessors and private members may be emitted in another form; methods with a plain name never are. */
export function plainMethods({ members }: ts.ClassLikeDeclaration): PlainMethod[] {
  return members.filter((member): member is PlainMethod => isPlainMethod(member));
}

function isPlainMethod(member: ts.ClassElement): boolean {
  if (!ts.isMethodDeclaration(member) || !member.body) return false;
  return ts.isIdentifier(member.name) || ts.isStringLiteral(member.name) || ts.isNumericLiteral(member.name);
}
