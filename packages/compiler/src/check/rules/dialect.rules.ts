import type { Dialect, Loss, LossOutcome } from '@adorn/core/dialects';

import type { FoundTool } from '../tools/found-tool.js';
import type { Finding, Rule } from './rule.js';

export const dialectWords: Rule = {
  name: 'dialect-words',
  severity: 'note',
  about: 'what a dialect has no keyword for, and the description says in words',
  ofTool: (tool, dialects) =>
    findings(tool, dialects, 'described', ({ title }, what, losses) => ({
      message: `${title} has no keyword for ${what}: the description says ${losses.length === 1 ? 'it' : 'them'}, and calls are still checked.`,
      cure: '',
    })),
};

export const dialectUnsaid: Rule = {
  name: 'dialect-unsaid',
  severity: 'warning',
  about: 'what a dialect cannot say at all, so that a model learns of it only from a refused call',
  ofTool: (tool, dialects) =>
    findings(tool, dialects, 'unsaid', ({ title }, what) => ({
      message: `${title} cannot say ${what}: calls are still checked, but the model does not know.`,
      cure: 'Say it in the description, or write the type without it.',
    })),
};

export const dialectUndeclarable: Rule = {
  name: 'dialect-undeclarable',
  severity: 'warning',
  about: 'what keeps a tool from being declared in a dialect; it is then sent as plain JSON Schema',
  ofTool: (tool, dialects) =>
    findings(tool, dialects, 'undeclarable', ({ title }, what) => ({
      message: `${title} cannot express ${what}, so ${tool.origin} is declared as plain JSON Schema.`,
      cure: 'Name the properties or elements there are, or leave it: calls are still checked.',
    })),
};

type Words = (dialect: Dialect, what: string, losses: readonly Loss[]) => Pick<Finding, 'message' | 'cure'>;

/** One finding for each parameter and dialect, with everything of one outcome that is lost there. */
function findings(
  { declaration, parameters, node }: FoundTool,
  dialects: readonly Dialect[],
  outcome: LossOutcome,
  words: Words,
): Finding[] {
  if (!declaration) return [];
  return dialects.flatMap((dialect) => {
    const losses = lossesIn(dialect, declaration.parametersJsonSchema).filter(
      (loss) => loss.outcome === outcome,
    );
    return [...byParameter(losses)].map(([parameter, own]) => ({
      node: parameters.find(({ name }) => name === parameter)?.node ?? node,
      dialect: dialect.name,
      losses: own,
      ...words(dialect, inWords(own), own),
    }));
  });
}

/** A loss that all alternatives share is reported for each of them, and counted once. */
function lossesIn(dialect: Dialect, schema: Parameters<Dialect['convert']>[0]): Loss[] {
  const losses = new Map<string, Loss>();
  dialect.convert(schema, (loss) => losses.set(JSON.stringify(loss), loss));
  return [...losses.values()];
}

function byParameter(losses: readonly Loss[]): ReadonlyMap<string, readonly Loss[]> {
  const groups = new Map<string, Loss[]>();
  for (const loss of losses) {
    const parameter = /^[^.[]*/.exec(loss.path)?.[0] ?? '';
    groups.set(parameter, [...(groups.get(parameter) ?? []), loss]);
  }
  return groups;
}

/** Losses in words, grouped by value: `minimum 1 and default 5 of "limit"`. */
function inWords(losses: readonly Loss[]): string {
  const paths = [...new Set(losses.map(({ path }) => path))];
  return listed(
    paths.map((path) => {
      const keywords = losses.filter((loss) => loss.path === path).map(keywordInWords);
      return `${listed(keywords)} of ${path === '' ? 'the arguments' : `"${path}"`}`;
    }),
  );
}

function keywordInWords({ keyword, value }: Loss): string {
  if (value === undefined) return keyword === 'type' ? 'the missing type' : keyword;
  const text = JSON.stringify(value);
  return `${keyword} ${text.length <= 40 ? text : `${text.slice(0, 39)}…`}`;
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last;
}
