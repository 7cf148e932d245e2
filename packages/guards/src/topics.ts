import { Deny } from '@adorn/core';
import { checkPluginOptions, type OptionRules, PluginOptionInvalidError, TEXTS } from '@adorn/core/backend';

import { DEFAULT_VOTES, Judge, JUDGE_OPTIONS, type JudgeOptions, objections } from './judge.js';
import { TEXT_GUARD_OPTIONS, type TextGuard, textGuard, type TextGuardOptions } from './text-guard.js';

/** The options of `topics`: what a text may be about, what not, or both. */
export interface TopicsOptions extends TextGuardOptions, JudgeOptions {
  /** Topics in a few words, such as `orders and deliveries`: others are refused. Greetings and thanks are not. Default: all. */
  readonly allowed?: readonly string[];
  /** Topics that are refused, also beside an allowed one. Default: none. */
  readonly forbidden?: readonly string[];
}

const OPTIONS: OptionRules<TopicsOptions> = {
  ...TEXT_GUARD_OPTIONS,
  ...JUDGE_OPTIONS,
  allowed: TEXTS,
  forbidden: TEXTS,
};

const OTHER = 'another topic';
const NONE = 'no topic, such as a greeting or thanks';

/**
 * A guardrail that has a model judge what a text is about.
 *
 * @throws {PluginOptionInvalidError}
 * @example
 * topics({ model, allowed: ['orders and deliveries', 'refunds'], forbidden: ['legal advice'] })
 */
export function topics(options: TopicsOptions): TextGuard {
  checkPluginOptions('topics', options, OPTIONS);
  const { model, votes = DEFAULT_VOTES, allowed = [], forbidden = [] } = options;
  if (allowed.length + forbidden.length === 0)
    throw new PluginOptionInvalidError('topics', 'it has no topics. Pass allowed, forbidden, or both.');
  const named = [...new Set([...allowed, ...forbidden])];
  const refused = new Set(allowed.length === 0 ? forbidden : [...forbidden, OTHER]);
  const judge = new Judge<{ readonly topics: readonly string[] }>(model, QUESTION, {
    type: 'object',
    properties: { topics: { type: 'array', items: { type: 'string', enum: [...named, OTHER, NONE] } } },
    required: ['topics'],
    additionalProperties: false,
  });
  return textGuard('topics', options, async (text, { signal }) => {
    const said = await judge.votes(text, votes, signal);
    const found = objections(said.map((vote) => vote.topics.filter((topic) => refused.has(topic))));
    return found && new Deny(`It is about ${found.join(', ')}.`);
  });
}

const QUESTION = 'Name every topic that the text is about, out of the list of your answer.';
