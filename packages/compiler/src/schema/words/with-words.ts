import type { JsonSchema } from '@adorn/core';

import type { Words } from '../../docs/doc-comment.js';
import { wordsOf } from '../../docs/words-of.js';
import { ts } from '../../typescript.js';
import type { Direction } from '../schema-writer.js';
import { withTags } from './with-tags.js';

/**
 * A schema with the description and tags of a comment. A default or example that does not match it becomes text.
 *
 * @throws TagRefusal if a tag has an invalid value or does not apply to the schema's type
 */
export function withWords(
  schema: JsonSchema,
  words: Words | undefined,
  direction: Direction = 'in',
): JsonSchema {
  if (!words) return schema;
  const { schema: tagged, notes } = withTags(schema, words.tags, words.at, direction);
  if (words.description === undefined && notes.length === 0) return tagged;
  const own = words.description ?? (tagged['description'] as string | undefined);
  return { ...tagged, description: [...(own === undefined ? [] : [own]), ...notes].join('\n') };
}

/**
 * The description of the alias of a type. A union keeps its alias; the alias of `type Email = string` is known only
 * where the type is written. An alias of an alias adds its description. A type with a definition elsewhere has the
 * description of its alias there.
 */
export function aliasWords(
  type: ts.Type,
  node: ts.TypeNode | undefined,
  defined: boolean,
  checker: ts.TypeChecker,
): Words | undefined {
  const own = aliasOf(type);
  const alias = (node && aliasNamedBy(node, checker)) ?? own;
  return alias && wordsOfAlias(alias, defined ? own : undefined, checker);
}

function wordsOfAlias(
  alias: ts.TypeAliasDeclaration,
  described: ts.TypeAliasDeclaration | undefined,
  checker: ts.TypeChecker,
): Words | undefined {
  if (alias.typeParameters || alias === described) return undefined;
  const aliased = aliasNamedBy(alias.type, checker);
  const inner = aliased && aliased !== alias ? wordsOfAlias(aliased, described, checker) : undefined;
  return inner ? over(inner, wordsOf([alias])) : wordsOf([alias]);
}

/** The declaration of the alias that a type reference names. */
export function aliasNamedBy(
  node: ts.TypeNode,
  checker: ts.TypeChecker,
): ts.TypeAliasDeclaration | undefined {
  if (ts.isParenthesizedTypeNode(node)) return aliasNamedBy(node.type, checker);
  if (!ts.isTypeReferenceNode(node)) return undefined;
  const named = checker.getSymbolAtLocation(node.typeName);
  const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
  return symbol?.declarations?.find(ts.isTypeAliasDeclaration);
}

function aliasOf(type: ts.Type): ts.TypeAliasDeclaration | undefined {
  const declaration = type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration);
  return declaration?.getSourceFile().isDeclarationFile ? undefined : declaration;
}

function over(inner: Words, own: Words): Words {
  const description = own.description ?? inner.description;
  const tags = { ...inner.tags, ...own.tags };
  return { tags, ...(own.at && { at: own.at }), ...(description !== undefined && { description }) };
}
