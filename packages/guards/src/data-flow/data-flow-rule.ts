import type { Tool } from '@adorn/core';
import {
  BOOLEAN,
  checkPluginOptions,
  namePattern,
  oneOf,
  type OptionRules,
  required,
  type ResultLabel,
  rule,
  type ToolEffect,
} from '@adorn/core/backend';

import { NAMES } from '../text-guard.js';
import type { Quotation } from './value-sources.js';

/** A rule of a `DataFlowPlugin`: which values, in which calls, and what happens. All its conditions must be true. */
export interface DataFlowRule {
  /** The values: those of `untrusted` results, which may steer the model, or of `confidential` ones, which must not leave. */
  readonly label: ResultLabel;
  /**
   * `quoted`: an argument of the call quotes such a value. `read`: the conversation holds such a value, so that the model may
   * have used it in other words; not where each argument is known from the user or another result, for `confidential` values.
   */
  readonly when: 'quoted' | 'read';
  /** Names of the tools whose results had the values; `*` stands for any characters. Default: all. */
  readonly from?: string | readonly string[];
  /** Names of the tools that are called; `*` stands for any characters. Default: all. */
  readonly tools?: string | readonly string[];
  /** The effects of the tools that are called; one that states none counts as `write`. Default: all. */
  readonly effects?: readonly ToolEffect[];
  /** True for tools that are `outside`, false for others. Default: both. */
  readonly outside?: boolean;
  /** `deny` refuses the call, `ask` has a person confirm it, `allow` lets it pass the rules that follow. */
  readonly decision: 'deny' | 'ask' | 'allow';
}

/**
 * The rules of a `DataFlowPlugin` that is given none: a confidential value does not leave by an `outside` tool, and a call that may
 * hold one in other words asks; after untrusted results, calls that destroy or that write outside ask.
 */
export const DATA_FLOW_RULES: readonly DataFlowRule[] = Object.freeze([
  { label: 'confidential', when: 'quoted', outside: true, decision: 'deny' },
  { label: 'confidential', when: 'read', outside: true, decision: 'ask' },
  { label: 'untrusted', when: 'read', effects: ['destructive'], decision: 'ask' },
  { label: 'untrusted', when: 'read', effects: ['write'], outside: true, decision: 'ask' },
] satisfies DataFlowRule[]);

const EFFECTS = ['read', 'write', 'destructive'];

const OPTIONS: OptionRules<DataFlowRule> = {
  label: required(oneOf('untrusted', 'confidential')),
  when: required(oneOf('quoted', 'read')),
  from: NAMES,
  tools: NAMES,
  effects: rule(
    (value) =>
      Array.isArray(value) && value.length > 0 && value.every((effect) => EFFECTS.includes(effect as string)),
    `Pass a list of ${EFFECTS.join(', ')}.`,
  ),
  outside: BOOLEAN,
  decision: required(oneOf('deny', 'ask', 'allow')),
};

/** A call and what is known of the values in it. */
export interface JudgedCall {
  readonly tool: Tool;
  /** The tools whose labelled results the conversation holds. */
  readonly read: Readonly<Record<ResultLabel, readonly string[]>>;
  readonly quotations: readonly Quotation[];
  /** See `ArgumentSources`. */
  readonly isKnown: boolean;
}

/** Why a rule applies to a call. */
export interface Finding {
  readonly rule: CheckedRule;
  /** The tools whose values the call quotes, or may hold. */
  readonly from: readonly string[];
  /** The quotations of such values; empty if none was recognised. */
  readonly quotations: readonly Quotation[];
}

/** A rule with its options checked. */
export class CheckedRule {
  readonly label: ResultLabel;
  readonly decision: DataFlowRule['decision'];
  private readonly isSource: (tool: string) => boolean;
  private readonly isCalled: (tool: string) => boolean;

  /** @throws {PluginOptionInvalidError} */
  constructor(
    owner: string,
    private readonly rule: DataFlowRule,
  ) {
    checkPluginOptions(owner, rule, OPTIONS);
    this.label = rule.label;
    this.decision = rule.decision;
    this.isSource = namePattern(owner, rule.from ?? '*');
    this.isCalled = namePattern(owner, rule.tools ?? '*');
  }

  /** Why the rule applies to a call; undefined if it does not. */
  find({ tool, read, quotations, isKnown }: JudgedCall): Finding | undefined {
    if (!this.concerns(tool)) return undefined;
    const { label, when } = this.rule;
    const quoted = quotations.filter((one) => one.label === label && this.isSource(one.from));
    if (quoted.length === 0 && when === 'quoted') return undefined;
    if (quoted.length === 0 && label === 'confidential' && isKnown) return undefined;
    const from = quoted.length > 0 ? quoted.map((one) => one.from) : read[label].filter(this.isSource);
    return from.length === 0 ? undefined : { rule: this, from: [...new Set(from)], quotations: quoted };
  }

  /** True if the rule may apply to calls of a tool. */
  concerns({ name, traits: { effect = 'write', outside = false } }: Tool): boolean {
    const { rule } = this;
    return (
      this.isCalled(name) &&
      (rule.outside === undefined || rule.outside === outside) &&
      (rule.effects === undefined || rule.effects.includes(effect))
    );
  }
}
