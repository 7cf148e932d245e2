import { Deny, Plugin, RequireConfirmation, type Tool, type ToolContext } from '@adorn/core';
import {
  checkPluginOptions,
  isOutputTool,
  LabelledResults,
  LIST,
  type OptionRules,
  sessionOf,
} from '@adorn/core/backend';

import { CheckedRule, DATA_FLOW_RULES, type DataFlowRule, type Finding } from './data-flow-rule.js';
import { type Quotation, ValueSources } from './value-sources.js';

/** The options of a `DataFlowPlugin`. */
export interface DataFlowOptions {
  /** The first rule that applies to a call decides. Default: `DATA_FLOW_RULES`. */
  readonly rules?: readonly DataFlowRule[];
}

const OPTIONS: OptionRules<DataFlowOptions> = { rules: LIST };

/**
 * Decides about calls by the values that they may hold: those of `untrusted` results, which may steer the model, and of
 * `confidential` ones, which must not leave. Where an argument quotes such a value, also encoded, the value decides; else what the
 * model has read in the conversation. A rule can forbid or ask, and never loosens what a tool asks itself; no approval for the
 * session covers what it asks.
 *
 * @example
 * createRunner(Assistant, { plugins: [new DataFlowPlugin()] })
 */
export class DataFlowPlugin extends Plugin {
  readonly name: string = 'data-flow';
  private readonly rules: readonly CheckedRule[];

  /** @throws {PluginOptionInvalidError} */
  constructor(options: DataFlowOptions = {}) {
    super();
    const owner = 'DataFlowPlugin';
    checkPluginOptions(owner, options, OPTIONS);
    const { rules = DATA_FLOW_RULES } = options;
    this.rules = rules.map((rule, index) => new CheckedRule(`${owner}, rule ${String(index + 1)}`, rule));
  }

  override checkTool(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): Deny | RequireConfirmation | undefined {
    if (isOutputTool(tool)) return undefined;
    const found = this.find(tool, args, context);
    if (found === undefined || found.rule.decision === 'allow') return undefined;
    const { from, rule } = found;
    const facts = { callId: context.functionCallId, tool: tool.name, label: rule.label, from };
    context.logger.info(`a rule of the data flow decided about a call: ${rule.decision}`, facts);
    return rule.decision === 'deny'
      ? new Deny(reasonOf(tool, found))
      : new RequireConfirmation(hintOf(tool, found), undefined, undefined, false);
  }

  /** What the conversation holds is looked up only for calls that a rule may concern. */
  private find(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): Finding | undefined {
    const rules = this.rules.filter((rule) => rule.concerns(tool));
    if (rules.length === 0) return undefined;
    const session = sessionOf(context);
    const read = {
      untrusted: LabelledResults.of(session, 'untrusted'),
      confidential: LabelledResults.of(session, 'confidential'),
    };
    if (rules.every(({ label }) => read[label].length === 0)) return undefined;
    const call = { tool, read, ...ValueSources.of(session, args) };
    for (const rule of rules) {
      const found = rule.find(call);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Told to the model. A confidential value is not repeated. */
function reasonOf({ name }: Tool, { rule: { label }, from, quotations }: Finding): string {
  const [quoted] = quotations;
  const what =
    quoted === undefined
      ? `The conversation holds ${label} results of ${listed(from)}`
      : `The argument "${quoted.argument}" quotes ${article(label)} result of \`${quoted.from}\``;
  return `${what}, so the call of \`${name}\` is not allowed. Do not repeat it; tell the user.`;
}

/** Asked of a person. */
function hintOf({ name }: Tool, { rule: { label }, from, quotations }: Finding): string {
  const why =
    quotations.length === 0
      ? `The conversation contains ${label} results of ${listed(from)}.`
      : quotations.map(quotationInWords).join(' ');
  return `Approve execution of tool \`${name}\`? ${why}`;
}

function quotationInWords({ argument, label, from, words }: Quotation): string {
  const value = label === 'untrusted' ? `: ${JSON.stringify(shortened(words))}` : '';
  return `Its argument \`${argument}\` quotes ${article(label)} result of \`${from}\`${value}.`;
}

function article(label: string): string {
  return label === 'untrusted' ? 'an untrusted' : 'a confidential';
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const LONGEST = 80;

function listed(tools: readonly string[]): string {
  return tools.map((tool) => `\`${tool}\``).join(', ');
}
