import { Deny, Plugin, RequireConfirmation, type Tool, type ToolContext } from '@adorn/core';
import {
  ANY,
  type Awaitable,
  checkPluginOptions,
  FUNCTION,
  isOutputTool,
  kindOf,
  namePattern,
  type OptionRules,
  PluginOptionInvalidError,
  TEXT,
} from '@adorn/core/backend';

/** The decision of a rule: run the call, refuse it, or have a person confirm it. */
export type SecurityDecision = 'allow' | 'deny' | 'ask';

/** A rule of a `SecurityPolicyPlugin`. It applies if all its conditions are true. */
export interface SecurityRule {
  /** Names of tools; `*` stands for any characters. */
  readonly tools: string | readonly string[];
  /** Ids of users. Default: every user. */
  readonly users?: string | readonly string[];
  /** A condition on the call. Default: none. A throw, or anything but a boolean, fails the call: it does not run. */
  readonly when?: (context: ToolContext, args: Readonly<Record<string, unknown>>) => Awaitable<boolean>;
  /** What happens to a call that the rule applies to. */
  readonly decision: SecurityDecision;
  /** For `deny`: sent to the model. Default: says that a security policy does not allow the call. */
  readonly reason?: string;
  /** For `ask`: the question, unless the tool asks one of its own. Default: asks to approve the tool by its name. */
  readonly hint?: string;
}

/** The options of a `SecurityPolicyPlugin`. */
export interface SecurityPolicyOptions {
  /** The first rule that applies to a call decides. */
  readonly rules: readonly SecurityRule[];
  /** The decision if no rule applies. Default: `deny`. */
  readonly otherwise?: SecurityDecision;
}

// A list of rules and a decision are read with their own messages.
const OPTIONS: OptionRules<SecurityPolicyOptions> = { rules: ANY, otherwise: ANY };

const RULE_OPTIONS: OptionRules<SecurityRule> = {
  tools: ANY,
  users: ANY,
  when: FUNCTION,
  decision: ANY,
  reason: TEXT,
  hint: TEXT,
};

const DECISIONS: ReadonlySet<unknown> = new Set<SecurityDecision>(['allow', 'deny', 'ask']);

/**
 * Allows, denies or asks for each tool call by rules, before a person or a credential is asked for. `allow` does not
 * loosen a tool: one that asks for confirmation still does. The rules are applied again to arguments that a callback
 * changed, and to calls that a person has approved. The tool that carries a structured answer is always allowed.
 *
 * @example
 * new SecurityPolicyPlugin({
 *   rules: [
 *     { tools: 'read_*', decision: 'allow' },
 *     { tools: 'refund', users: ['ada'], decision: 'ask' },
 *   ],
 * })
 */
export class SecurityPolicyPlugin extends Plugin {
  readonly name: string = 'security-policy';
  private readonly rules: readonly CheckedRule[];
  private readonly otherwise: CheckedRule;

  /** @throws {PluginOptionInvalidError} */
  constructor(options: SecurityPolicyOptions) {
    super();
    const owner = 'SecurityPolicyPlugin';
    checkPluginOptions(owner, options, OPTIONS);
    const { rules, otherwise = 'deny' } = options;
    if (!Array.isArray(rules)) {
      throw new PluginOptionInvalidError(owner, `its rules are ${kindOf(rules)}. Pass a list of rules.`);
    }
    this.rules = rules.map((rule: SecurityRule, index) => new CheckedRule(`rule ${String(index + 1)}`, rule));
    this.otherwise = new CheckedRule('otherwise', { tools: '*', decision: otherwise });
  }

  override async checkTool(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): Promise<Deny | RequireConfirmation | undefined> {
    if (isOutputTool(tool)) return undefined;
    const rule = await this.ruleFor(tool, args, context);
    if (rule.decision === 'deny') {
      const { functionCallId: callId, userId } = context;
      context.logger.warn(`tool "${tool.name}" was denied by the security policy`, {
        callId,
        userId,
        rule: rule.label,
      });
    }
    return rule.answer;
  }

  private async ruleFor(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): Promise<CheckedRule> {
    for (const rule of this.rules) if (await rule.applies(tool, args, context)) return rule;
    return this.otherwise;
  }
}

const DEFAULT_REASON = 'The security policy does not allow this call. Do not repeat it.';

/** A rule with its options checked and copied. */
class CheckedRule {
  readonly decision: SecurityDecision;
  readonly answer: Deny | RequireConfirmation | undefined;
  private readonly isNamed: (tool: string) => boolean;
  private readonly users: ReadonlySet<string> | undefined;
  private readonly when: SecurityRule['when'];

  constructor(
    readonly label: string,
    rule: SecurityRule,
  ) {
    const owner = `SecurityPolicyPlugin, ${label}`;
    checkPluginOptions(owner, rule, RULE_OPTIONS);
    if (!DECISIONS.has(rule.decision)) {
      const found = typeof rule.decision === 'string' ? `"${rule.decision}"` : kindOf(rule.decision);
      throw new PluginOptionInvalidError(owner, `its decision is ${found}. Pass allow, deny or ask.`);
    }
    this.decision = rule.decision;
    this.isNamed = namePattern(owner, rule.tools);
    this.users = usersOf(owner, rule.users);
    this.when = rule.when;
    this.answer = answerOf(rule);
  }

  async applies(tool: Tool, args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<boolean> {
    if (!this.isNamed(tool.name) || this.users?.has(context.userId) === false) return false;
    if (this.when === undefined) return true;
    const applies: unknown = await this.when(context, args);
    if (typeof applies === 'boolean') return applies;
    throw new PluginOptionInvalidError(
      `SecurityPolicyPlugin, ${this.label}`,
      `its "when" returned ${kindOf(applies)}. Return true or false.`,
    );
  }
}

function usersOf(owner: string, users: SecurityRule['users']): ReadonlySet<string> | undefined {
  if (users === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(users) ? users : [users];
  if (list.length > 0 && list.every((user) => typeof user === 'string' && user !== '')) {
    return new Set(list as readonly string[]);
  }
  throw new PluginOptionInvalidError(
    owner,
    'its users are not a list of ids. Pass at least one id, or leave it out.',
  );
}

function answerOf({
  decision,
  reason = DEFAULT_REASON,
  hint,
}: SecurityRule): Deny | RequireConfirmation | undefined {
  if (decision === 'allow') return undefined;
  return decision === 'deny' ? new Deny(reason) : new RequireConfirmation(hint);
}
