import { canonicalJson, FUNCTION, LIST, type OptionRules } from '@adorn/core/backend';

import { type EvalConversation, isToolOf, requireTools } from '../conversation.js';
import { checkMetric } from '../metrics/metric-options.js';
import { counted, type EvalGate } from './gate.js';
import { callsIn, shownCall } from './logged-call.js';

/** A tool's name and the arguments of a call. */
interface EffectOfCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The options of {@link noDoubleEffect}. */
export interface NoDoubleEffectOptions {
  /** Names of the tools whose effects are counted. Default: those with the effect `write` or `destructive`. */
  readonly tools?: readonly string[];
  /**
   * What is to happen once, such as `({ args }) => args.orderId` for one refund an order; undefined for a call that may be
   * repeated. Default: the arguments.
   */
  readonly key?: (call: EffectOfCall) => unknown;
}

const RULES: OptionRules<NoDoubleEffectOptions> = { tools: LIST, key: FUNCTION };

/**
 * `no_double_effect`: how many effects happened that had happened before in the conversation. In a conversation that was played,
 * each run of a tool counts, also one of a process that was killed before its result was stored; runs of an `idempotent` tool
 * with one `idempotencyKey` are one effect. In a stored conversation, the results in the log count.
 */
export function noDoubleEffect(options: NoDoubleEffectOptions = {}): EvalGate {
  checkMetric('noDoubleEffect', options, RULES);
  const { tools, key = ({ args }) => args } = options;
  return {
    name: 'no_double_effect',
    description: 'Effects of tools that happened again.',
    measure: (conversation) => {
      requireTools(tools, conversation);
      const watched = { names: tools, effects: ['write', 'destructive'] } as const;
      const seen = new Set<string>();
      const doubles: string[] = [];
      for (const effect of effectsIn(conversation)) {
        if (!isToolOf(effect.tool, watched, conversation)) continue;
        const named = key(effect);
        if (named === undefined) continue;
        const id = canonicalJson([effect.tool, named]);
        if (seen.has(id)) doubles.push(`${shownCall(effect)} happened again`);
        seen.add(id);
      }
      return counted(doubles);
    },
  };
}

/** What has happened in the world, once for each time. */
function effectsIn(conversation: EvalConversation): readonly EffectOfCall[] {
  const { executions, tools } = conversation;
  if (!executions) return callsIn(conversation).filter(({ status }) => status === 'returned');
  const keys = new Set<string>();
  return executions.filter(({ tool, idempotencyKey, ended }) => {
    if (ended === 'failed') return false;
    const isRepeated = keys.has(idempotencyKey) && tools.get(tool)?.idempotent === true;
    keys.add(idempotencyKey);
    return !isRepeated;
  });
}
