import type { JsonSchema } from '@adorn/core';
import { areDisjoint, type SchemaDocument } from '@adorn/core/backend';
import type { ChoiceHydration, JsonType, Hydration, HydrationBranch } from '@adorn/core/compiler';

import { definitionName } from '../schema/definitions.js';
import { Refusal } from '../schema/refusal.js';

/** One member of a union, and what has to be made of it. */
export interface Branch {
  readonly schema: JsonSchema;
  readonly revive: Hydration | undefined;
}

/**
 * How the value of a union is made: by the branch it is of. A value that fits a branch of which nothing is made stays
 * as it is, since the type allows it so.
 *
 * @throws Refusal where a value could be of two branches, and would become different things.
 */
export function choicePlan(branches: readonly Branch[], document: SchemaDocument): Hydration | undefined {
  const real = branches.filter(({ schema }) => schema['type'] !== 'null');
  if (real.every(({ revive }) => revive === undefined)) return undefined;
  const [only] = real;
  if (only !== undefined && real.length === 1) return only.revive;
  refuseDoubt(real, document);
  const typed = branches.map((branch) => ({ ...branch, types: document.typesOf(branch.schema) }));
  const plain = typed.filter(({ revive }) => revive === undefined);
  const made = typed.filter(({ revive }) => revive !== undefined);
  const planned = [...plain, ...made].map((branch): HydrationBranch => {
    const rivals = typed.filter((other) => other !== branch && overlap(other.types, branch.types));
    const isClear = [branch, ...rivals].every(({ revive }) => revive === undefined) || rivals.length === 0;
    return {
      types: branch.types,
      ...(!isClear && { schema: branch.schema }),
      ...(branch.revive !== undefined && { revive: branch.revive }),
    };
  });
  return { kind: 'choice', branches: planned } satisfies ChoiceHydration;
}

function overlap(one: readonly JsonType[], other: readonly JsonType[]): boolean {
  return one.some((type) => other.includes(type));
}

function refuseDoubt(branches: readonly Branch[], document: SchemaDocument): void {
  const made = branches.filter(({ revive }) => revive !== undefined);
  for (const [index, one] of made.entries()) {
    for (const other of made.slice(index + 1)) {
      const isSame = JSON.stringify(one.revive) === JSON.stringify(other.revive);
      if (isSame || areDisjoint([one.schema, other.schema], document, { ignoreEmptyLists: true })) continue;
      throw new Refusal(
        [one, other].map(({ schema }) => nameOf(schema)).join(' | '),
        'a value could be either of the two, and would become different things.',
        'Give each a property with a literal type of its own, or write one of them.',
      );
    }
  }
}

function nameOf(schema: JsonSchema): string {
  const { $ref, format, type } = schema;
  return String(typeof $ref === 'string' ? definitionName($ref) : (format ?? type));
}
