import type { Words } from '../docs/doc-comment.js';
import { wordsOf } from '../docs/words-of.js';
import { ts } from '../typescript.js';

/** What is written about an enum and its members, for a type that is the whole of it. */
export function enumWords(type: ts.Type, checker: ts.TypeChecker): Words | undefined {
  if (!(type.flags & ts.TypeFlags.EnumLike)) return undefined;
  const declaration = (type.symbol.declarations ?? []).find(ts.isEnumDeclaration);
  if (declaration === undefined) return undefined;
  const words = wordsOf([declaration]);
  const lines = declaration.members.flatMap((member) => memberWords(member, checker));
  if (lines.length === 0) return words;
  return {
    ...words,
    description: [...(words.description === undefined ? [] : [words.description]), ...lines].join('\n'),
  };
}

function memberWords(member: ts.EnumMember, checker: ts.TypeChecker): string[] {
  const { description } = wordsOf([member]);
  const value = checker.getConstantValue(member);
  return description === undefined || value === undefined ? [] : [`- ${String(value)}: ${description}`];
}
