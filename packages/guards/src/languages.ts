import { Deny } from '@adorn/core';
import { checkPluginOptions, type OptionRules, required, rule } from '@adorn/core/backend';

import { DEFAULT_VOTES, Judge, JUDGE_OPTIONS, type JudgeOptions, objections } from './judge.js';
import { TEXT_GUARD_OPTIONS, type TextGuard, textGuard, type TextGuardOptions } from './text-guard.js';

/** The options of `languages`. */
export interface LanguagesOptions extends TextGuardOptions, JudgeOptions {
  /** The languages of a text, as two or three letters of ISO 639, such as `en`. Others are refused. */
  readonly allowed: readonly string[];
}

const OPTIONS: OptionRules<LanguagesOptions> = {
  ...TEXT_GUARD_OPTIONS,
  ...JUDGE_OPTIONS,
  allowed: required(
    rule(
      (value) => Array.isArray(value) && value.length > 0 && value.every(isCode),
      "Pass codes of ISO 639, such as ['en', 'de'].",
    ),
  ),
};

/**
 * A guardrail that has a model judge in which languages a text is written. Names, numbers, code and single foreign words are in no
 * language.
 *
 * @throws {PluginOptionInvalidError}
 */
export function languages(options: LanguagesOptions): TextGuard {
  checkPluginOptions('languages', options, OPTIONS);
  const { model, votes = DEFAULT_VOTES } = options;
  const allowed = new Set(options.allowed);
  const judge = new Judge<{ readonly languages: readonly string[] }>(model, QUESTION, VERDICT);
  return textGuard('languages', options, async (text, { signal }) => {
    const said = await judge.votes(text, votes, signal);
    const others = objections(
      said.map((vote) => vote.languages.map(primary).filter((code) => !allowed.has(code))),
    );
    return others && new Deny(`It is written in ${others.join(', ')}.`);
  });
}

const QUESTION = `Name the languages that whole sentences of the text are written in, as codes of ISO 639 such as "en". Names, numbers,
code and single foreign words do not count. Give an empty list for a text without a sentence.`;

const VERDICT = {
  type: 'object',
  properties: { languages: { type: 'array', items: { type: 'string' } } },
  required: ['languages'],
  additionalProperties: false,
} as const;

function isCode(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z]{2,3}$/.test(value);
}

/** The language of a tag with a region or a script, such as `pt-BR`. */
function primary(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? '';
}
