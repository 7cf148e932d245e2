import { findChoice, findChoices } from './find-choice.js';
import { findFlag } from './find-flag.js';
import { findFreeText, findName, isQuestionLike } from './find-free-text.js';
import { findNumber } from './find-number.js';
import type { Parameter } from './parameter.js';
import type { SaidText } from './said-text.js';
import { shapeOf, writtenLike } from './value-shape.js';

/** Further input of a finder: words that selected the tool are not values. */
export interface Finding {
  readonly text: SaidText;
  readonly toolWords: ReadonlySet<string>;
}

/** Finds a value in a text; undefined if there is none. */
export interface Finder {
  /** Whether a find is proof that the tool was meant, and may be recalled from earlier turns. */
  readonly isCertain: boolean;
  readonly find: (parameter: Parameter, finding: Finding) => unknown;
}

/** From the surest to the vaguest: each takes its find out of the text before the next one looks. */
export const FINDERS: readonly Finder[] = [
  { isCertain: true, find: byShape },
  { isCertain: false, find: ({ schema }, { text }) => findChoices(schema, text) ?? findChoice(schema, text) },
  { isCertain: false, find: byQuotes },
  { isCertain: false, find: (parameter, { text }) => findNumber(parameter, text) },
  { isCertain: false, find: (parameter, { text }) => findFlag(parameter, text) },
  { isCertain: false, find: byName },
  { isCertain: false, find: byRest },
];

function byShape({ schema }: Parameter, { text }: Finding): unknown {
  const shape = shapeOf(schema.items ?? schema);
  if (shape === undefined) return undefined;
  if (schema.type !== 'array') return writtenLike(text.take(shape), schema);
  const all = text.takeAll(shape).map((one) => writtenLike(one, schema.items));
  return all.length === 0 ? undefined : all;
}

function byQuotes({ schema }: Parameter, { text }: Finding): unknown {
  const quoted = /["“„]([^"”“]+)["”“]/u;
  if (schema.type === 'array' && schema.items?.type === 'string') {
    const all = text.takeAll(quoted);
    return all.length === 0 ? undefined : all;
  }
  return isFreeText({ schema }) ? text.take(quoted) : undefined;
}

function byName(parameter: Parameter, { text, toolWords }: Finding): unknown {
  if (!parameter.required || !isFreeText(parameter) || isQuestionLike(parameter.name)) return undefined;
  return findName(text, toolWords);
}

function byRest(parameter: Parameter, { text, toolWords }: Finding): unknown {
  return parameter.required && isFreeText(parameter)
    ? findFreeText(parameter.name, text, toolWords)
    : undefined;
}

function isFreeText({ schema }: Pick<Parameter, 'schema'>): boolean {
  return schema.type === 'string' && schema.choices.length === 0 && shapeOf(schema) === undefined;
}
