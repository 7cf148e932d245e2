import type { Parameter } from './offered-tool.js';
import { literalPattern, type SaidText } from './said-text.js';
import type { SimpleSchema } from './simple-schema.js';
import { takeNamed, valueAt } from './stated-value.js';
import { shapeOf, writtenLike } from './value-shape.js';
import { isMeaningful, stem, tokensOf, wordsOf } from './words.js';

/** Further input of a finder: words that selected the tool are not values. */
export interface Finding {
  readonly text: SaidText;
  readonly toolWords: ReadonlySet<string>;
  /** The JSON object that the text holds. */
  readonly object?: Record<string, unknown> | undefined;
}

/** Finds a value in a text; undefined if there is none. */
export interface Finder {
  /** Whether a find is proof that the tool was meant, and may be recalled from earlier turns. */
  readonly isCertain: boolean;
  readonly find: (parameter: Parameter, finding: Finding) => unknown;
}

/** From the surest to the vaguest: each takes its find out of the text before the next one looks. */
export const FINDERS: readonly Finder[] = [
  { isCertain: true, find: ({ path }, { object }) => valueAt(object, path) },
  { isCertain: true, find: byOwnName },
  { isCertain: true, find: byShape },
  { isCertain: false, find: ({ schema }, { text }) => findChoices(schema, text) ?? findChoice(schema, text) },
  { isCertain: false, find: byQuotes },
  { isCertain: false, find: (parameter, { text }) => findNumber(parameter, text) },
  { isCertain: false, find: (parameter, { text }) => findFlag(parameter, text) },
  { isCertain: false, find: byName },
  { isCertain: false, find: byRest },
];

/** Where the text behind one name ends because the next begins. */
const NEXT_NAME = String.raw`[\p{L}_][\p{L}\p{N}_]* ?[:=]`;
const NAMED_LINE = String.raw`"[^"\n]+"|[^\s,;][^,;\n]*?(?=[,;\n]|\.(?:\s|$)|$|\s${NEXT_NAME})`;
const NAMED_TEXT = String.raw`"[^"]+"|\S[^]*?(?=[,;\n] ?${NEXT_NAME}|$)`;

/** `claimId: C-1`: nothing else than that parameter can be meant. */
function byOwnName({ name, schema }: Parameter, { text }: Finding): unknown {
  if (schema.choices.length > 0) return undefined;
  if (schema.type === 'number') return inBounds(toNumber(takeNamedNumber(name, schema, text)), schema);
  if (schema.type !== 'string') return undefined;
  const shape = shapeOf(schema)?.source;
  const found = takeNamed(name, shape ?? (isQuestionLike(name) ? NAMED_TEXT : NAMED_LINE), text);
  return found === undefined ? undefined : writtenLike(trimmed(found), schema);
}

/** What is counted in cents may be said in euros, unless its name says cents. */
function takeNamedNumber(name: string, { description }: SimpleSchema, text: SaidText): string | undefined {
  const isAmount = isInCents('', description) && !isInCents(name, '');
  return isAmount ? undefined : takeNamed(name, NUMBER, text);
}

function byShape({ schema }: Parameter, { text }: Finding): unknown {
  const shape = shapeOf(schema.items ?? schema);
  if (!shape) return undefined;
  if (schema.type !== 'array') return writtenLike(text.take(shape), schema);
  const all = text.takeAll(shape).map((one) => writtenLike(one, schema.items));
  return all.length === 0 ? undefined : all;
}

function byQuotes({ schema }: Parameter, { text }: Finding): unknown {
  const quoted = /["“„][^"”“]+["”“]/u;
  if (schema.type === 'array' && schema.items?.type === 'string') {
    const all = text.takeAll(quoted).map(unquoted);
    return all.length === 0 ? undefined : all;
  }
  const one = isFreeText({ schema }) ? text.take(quoted) : undefined;
  return one && unquoted(one);
}

function unquoted(text: string): string {
  return text.slice(1, -1);
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

/** The choice whose words are all in the text; of several, the one with the most words. */
function findChoice(schema: SimpleSchema, text: SaidText): string | number | undefined {
  const said = new Set(saidTokens(text));
  const [best] = schema.choices
    .filter((choice) => isSaid(choice, said))
    .sort((one, other) => wordsIn(other).length - wordsIn(one).length);
  if (best !== undefined) takeWords(best, text);
  return best;
}

/** All the choices that the text names, for a list of choices. */
function findChoices(schema: SimpleSchema, text: SaidText): (string | number)[] | undefined {
  if (schema.type !== 'array' || !schema.items) return undefined;
  const said = new Set(saidTokens(text));
  const all = schema.items.choices.filter((choice) => isSaid(choice, said));
  for (const choice of all) takeWords(choice, text);
  return all.length === 0 ? undefined : all;
}

function saidTokens(text: SaidText): string[] {
  return text.left.flatMap(tokensOf).map(stem);
}

function isSaid(choice: string | number, said: ReadonlySet<string>): boolean {
  const words = wordsIn(choice);
  return words.length > 0 && words.every((word) => said.has(word));
}

/** A choice that is only stop words, such as "all", is matched by them. */
function wordsIn(choice: string | number): string[] {
  const words = wordsOf(String(choice));
  return words.length > 0 ? words : tokensOf(String(choice)).map(stem);
}

function takeWords(choice: string | number, text: SaidText): void {
  for (const token of tokensOf(String(choice)))
    text.take(new RegExp(String.raw`(?<!\p{L})${token}\p{L}{0,3}(?!\p{L})`, 'iu'));
}

const NUMBER = String.raw`(?<![\p{L}\p{N}.,#-])-?\d+(?:[.,]\d{1,2})?(?![\p{L}\p{N}-]|[.,]\d)`;
const TAKEN_NUMBER = `(?<taken>${NUMBER})`;
const CURRENCY = String.raw`(?:€|\$|£|eur|euros?|usd|dollars?|pounds?)`;
const CUE = '(?:last|first|newest|top|only|limit(?: of)?|at most|up to|under|below|over|above|least)';

/**
 * The number that a parameter means: the one beside its name, an amount of money for cents, else the next one.
 * A parameter that may be left out takes a number only with a cue, or any number would do.
 */
function findNumber({ name, schema, required }: Parameter, text: SaidText): number | undefined {
  if (schema.type !== 'number' || schema.choices.length > 0) return undefined;
  return inBounds(takeNumber(name, schema.description, required, text), schema);
}

function inBounds(found: number | undefined, { whole, minimum, maximum }: SimpleSchema): number | undefined {
  if (found === undefined) return undefined;
  const value = whole ? Math.round(found) : found;
  return value >= minimum && value <= maximum ? value : undefined;
}

function takeNumber(
  name: string,
  description: string,
  required: boolean,
  text: SaidText,
): number | undefined {
  if (isInCents(name, description))
    return takeCents(text) ?? (required ? toNumber(text.take(pattern(NUMBER))) : undefined);
  const label = tokensOf(name).join('[ _-]?');
  const labelled =
    text.take(pattern(`${label}s?(?: is| of|:| =|=)? *${TAKEN_NUMBER}`)) ??
    text.take(pattern(`${TAKEN_NUMBER} *${label}`));
  const cued = labelled ?? text.take(pattern(`${CUE} +${TAKEN_NUMBER}`));
  return toNumber(cued ?? (required ? text.take(pattern(NUMBER)) : undefined));
}

function isInCents(name: string, description: string): boolean {
  return tokensOf(name).map(stem).includes('cent') || /\bin cents\b/i.test(description);
}

/** `€59.90`, `60 euros` and `500 cents` are 5990, 6000 and 500. */
function takeCents(text: SaidText): number | undefined {
  const cents = toNumber(text.take(pattern(`${TAKEN_NUMBER} *cents?`)));
  if (cents !== undefined) return cents;
  const amount = toNumber(
    text.take(pattern(`${TAKEN_NUMBER} *${CURRENCY}`)) ??
      text.take(pattern(String.raw`[€$£] *(?<taken>\d+(?:[.,]\d{1,2})?)`)),
  );
  return amount === undefined ? undefined : Math.round(amount * 100);
}

function pattern(source: string): RegExp {
  return new RegExp(source, 'iu');
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replace(',', '.'));
}

/** A switch is on where its own words are said, and off where "no", "not" or "without" stands before them. */
function findFlag({ name, schema }: Parameter, text: SaidText): boolean | undefined {
  if (schema.type !== 'boolean') return undefined;
  const words = wordsOf(name);
  const said = saidTokens(text);
  if (words.length === 0 || !words.every((word) => said.includes(word))) return undefined;
  const first = said.indexOf(words[0] ?? '');
  const before = said.slice(Math.max(0, first - 3), first);
  text.take(new RegExp(tokensOf(name).join(String.raw`[ _-]+`), 'i'));
  return !before.some((word) => ['no', 'not', 'don', 'without', 'never'].includes(word));
}

/** Words of asking, which are no part of what is asked for. */
const REQUEST_WORDS = new Set(
  (
    'add ask buy call change check create do fetch find give know leave list look make please put remember run ' +
    'save search see sell send set show start tell today tomorrow under below over above cheap cheaper'
  )
    .split(' ')
    .map(stem),
);

const QUESTION_LIKE =
  /query|question|text|message|note|topic|search|request|prompt|content|body|comment|description|term|keyword|phrase|task|title|summary|input|reason/i;

/** True if a parameter takes the text as it is, rather than a name in it. */
function isQuestionLike(name: string): boolean {
  return QUESTION_LIKE.test(name);
}

/** A name: words with a capital, of which the first in a sentence counts only where it is no word of asking. */
function findName(text: SaidText, toolWords: ReadonlySet<string>): string | undefined {
  const names = text.left.flatMap((piece) => [
    ...piece.matchAll(/\p{Lu}[\p{L}\p{N}'’]*(?:[ /_-]\p{Lu}[\p{L}\p{N}'’]*)*/gu),
  ]);
  for (const [name] of names) {
    const own = dropFirstWords(name, (word) => !isOwnWord(word, toolWords));
    if (own !== '') return text.take(literally(own));
  }
  return undefined;
}

/** The text without words of requests, of the tool and of the parameter at both ends. */
function findFreeText(name: string, text: SaidText, toolWords: ReadonlySet<string>): string | undefined {
  const afterColon = isQuestionLike(name) ? text.take(/: +(?<taken>\S[^]*)/u) : undefined;
  if (afterColon !== undefined) return trimmed(afterColon);
  const known = new Set([...toolWords, ...tokensOf(name).map(stem)]);
  for (const piece of text.left) {
    const own = dropLastWords(
      dropFirstWords(piece, (word) => !isOwnWord(word, known)),
      (word) => !isOwnWord(word, known),
    );
    if (own !== '') return text.take(literally(own));
  }
  return undefined;
}

function isOwnWord(word: string, toolWords: ReadonlySet<string>): boolean {
  return tokensOf(word).some((token) => isOwnToken(token, toolWords));
}

function isOwnToken(token: string, toolWords: ReadonlySet<string>): boolean {
  return isMeaningful(token) && !toolWords.has(stem(token)) && !REQUEST_WORDS.has(stem(token));
}

function dropFirstWords(text: string, isDropped: (word: string) => boolean): string {
  const words = text.split(/\s+/);
  const first = words.findIndex((word) => !isDropped(word));
  return first < 0 ? '' : trimmed(text.slice(text.indexOf(words[first] ?? '')));
}

function dropLastWords(text: string, isDropped: (word: string) => boolean): string {
  const words = text.split(/\s+/);
  while (words.length > 0 && isDropped(words.at(-1) ?? '')) words.pop();
  return trimmed(words.join(' '));
}

function trimmed(text: string): string {
  return text.trim().replace(/^[\s.,;:!?("'„“]+|[\s.,;:!?)"'”“]+$/gu, '');
}

function literally(text: string): RegExp {
  return new RegExp(literalPattern(text).replace(/\s+/g, String.raw`\s+`), 'u');
}
