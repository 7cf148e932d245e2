import type { JsonSchema } from '@adorn/core';

import { ts } from '../../typescript.js';

const NUMBER = '-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?';
const BIG_INTEGER = '-?[0-9]+';
const ANY_TEXT = '[\\s\\S]*';

/** What the types of TypeScript that change a text allow, as far as a pattern tells letters apart. */
const CASES: Readonly<Record<string, string>> = {
  Uppercase: '[^a-z]*',
  Lowercase: '[^A-Z]*',
  Capitalize: '([^a-z][\\s\\S]*)?',
  Uncapitalize: '([^A-Z][\\s\\S]*)?',
};

/** A type such as `` `W${number}` `` or `Uppercase<string>` as the pattern of the texts it allows. */
export function textPattern(type: ts.Type): JsonSchema {
  const pattern = withEnds(bodyOf(type));
  return pattern === '' ? { type: 'string' } : { type: 'string', pattern };
}

export function hasTextPattern(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) !== 0;
}

function bodyOf(type: ts.Type): string {
  if (type.flags & ts.TypeFlags.NumberLike) return NUMBER;
  if (type.flags & ts.TypeFlags.BigIntLike) return BIG_INTEGER;
  if (type.flags & ts.TypeFlags.StringMapping) return CASES[type.symbol.name] ?? ANY_TEXT;
  if (!(type.flags & ts.TypeFlags.TemplateLiteral)) return ANY_TEXT;
  const { texts, types } = type as ts.TemplateLiteralType;
  const holes = types.map(bodyOf);
  return texts.map((text, index) => escape(text) + (holes[index] ?? '')).join('');
}

/** What begins or ends with any text needs no mark there: `^a` says as much as `^a[\s\S]*$`. */
function withEnds(body: string): string {
  const isOpenBefore = body.startsWith(ANY_TEXT);
  const rest = isOpenBefore ? body.slice(ANY_TEXT.length) : body;
  const isOpenAfter = rest.endsWith(ANY_TEXT) || (isOpenBefore && rest === '');
  const inner = isOpenAfter ? rest.slice(0, rest.length - ANY_TEXT.length) : rest;
  return `${isOpenBefore ? '' : '^'}${inner}${isOpenAfter ? '' : '$'}`;
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
