import { ts } from '../../typescript.js';
import { aliasNamedBy } from '../words/alias-words.js';

/** A member of a union and the place where it is written, if it is written by itself. */
export interface UnionMember {
  readonly type: ts.Type;
  readonly node?: ts.TypeNode;
}

/** The members of a union in the order in which they are written; TypeScript keeps them in the order it met them. */
export function inSourceOrder(
  union: ts.UnionType,
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): UnionMember[] {
  const written = writtenMembers(node ?? aliasNode(union), checker);
  const rest = new Map(union.types.map((type) => [regular(type), type]));
  const found: UnionMember[] = [];
  for (const { type: wanted, node: place } of written) {
    const type = rest.get(regular(wanted));
    if (type !== undefined && rest.delete(regular(wanted)))
      found.push({ type, ...(place && { node: place }) });
  }
  return [...found, ...[...rest.values()].map((type) => ({ type }))];
}

function aliasNode(type: ts.Type): ts.TypeNode | undefined {
  return type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration)?.type;
}

function writtenMembers(node: ts.TypeNode | undefined, checker: ts.TypeChecker): UnionMember[] {
  if (node === undefined) return [];
  if (ts.isParenthesizedTypeNode(node)) return writtenMembers(node.type, checker);
  if (ts.isUnionTypeNode(node)) return node.types.flatMap((member) => writtenMembers(member, checker));
  const type = checker.getTypeFromTypeNode(node);
  if (!type.isUnion()) return [{ type, node }];
  const alias = aliasNamedBy(node, checker);
  const inside = alias === undefined || alias.typeParameters ? [] : writtenMembers(alias.type, checker);
  return inside.length > 0 ? inside : inDeclarationOrder(type);
}

/** The order of an indexed access or a `keyof`: that of the union it is taken from. */
function inDeclarationOrder(type: ts.UnionType): UnionMember[] {
  return type.types.map((member) => ({ type: member }));
}

/** A literal has two types, a fresh one where it is written and its regular one. */
function regular(type: ts.Type): ts.Type {
  return (type as { regularType?: ts.Type }).regularType ?? type;
}
