import { copyJson } from '../json/copy-json.js';
import { isSameJson } from '../json/is-same-json.js';
import { checkedArguments } from './checked-arguments.js';
import type { ToolCall, ToolOutcome } from './tool-call.js';

/** What `beforeTool` made of a call: it runs, it is answered already, or it is held up because its arguments changed. */
export type Rewritten =
  | { readonly kind: 'run' }
  | { readonly kind: 'answered'; readonly result: unknown }
  | { readonly kind: 'held'; readonly outcome: ToolOutcome };

/** Lets `beforeTool` step in. A person who was asked about other arguments than these is asked again. */
export async function rewriteArguments(call: ToolCall): Promise<Rewritten> {
  const { beforeTool } = call.callbacks;
  if (beforeTool === undefined) return { kind: 'run' };
  const args = copyJson(call.args) as Record<string, unknown>;
  const result: unknown = await beforeTool(call.entry.tool, args, call.context);
  if (result !== undefined) return { kind: 'answered', result };
  const shown = call.answer?.approvedArgs ?? call.args;
  return isSameJson(args, shown) && shown === call.args ? { kind: 'run' } : admit(call, args);
}

async function admit(call: ToolCall, args: Record<string, unknown>): Promise<Rewritten> {
  const { tool } = call.entry;
  call.args = checkedArguments(call, args);
  await tool.validate?.(call.args, call.context);
  if (isSameJson(call.answer?.approvedArgs, call.args)) return { kind: 'run' };
  const confirmation = await tool.confirmation(call.args, call.context);
  if (confirmation === undefined) return { kind: 'run' };
  return {
    kind: 'held',
    outcome: { kind: 'paused', question: { kind: 'confirmation', confirmation, args: call.args } },
  };
}
