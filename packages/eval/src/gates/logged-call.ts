import type { EvalConversation } from '../conversation.js';

/** A call of a tool, as the log has it. */
export interface LoggedCall {
  readonly id: string;
  readonly tool: string;
  /** The arguments with which it ran: those of the model, or those that a person changed. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The run that made it. */
  readonly invocationId: string;
  /** Its place in the log. */
  readonly seq: number;
  /** True if it ran, or may have. False if it was refused or failed before its tool, and while it waits. */
  readonly hasRun: boolean;
  /** `open`: no final response yet. `before`: an earlier call had its effect. */
  readonly status: 'returned' | 'error' | 'unknown' | 'open' | 'before';
  /** True if a person rejected it. */
  readonly isRejected: boolean;
}

/** The calls of a log, in their order. */
export function callsIn({ facts }: Pick<EvalConversation, 'facts'>): readonly LoggedCall[] {
  const calls = new Map<string, LoggedCall>();
  for (const { row, contents } of facts) {
    if (row.kind === 'call')
      calls.set(row.callId, {
        ...{ id: row.callId, tool: row.tool, invocationId: row.invocationId, seq: row.seq },
        ...{ args: argsIn(contents) ?? {}, hasRun: false, status: 'open', isRejected: false },
      });
    const call = 'callId' in row ? calls.get(row.callId) : undefined;
    if (!call) continue;
    if (row.kind === 'answer') {
      const args = row.isEdited === true ? argsIn(contents) : undefined;
      calls.set(call.id, { ...call, args: args ?? call.args, isRejected: row.verdict === 'rejected' });
    } else if (row.kind === 'outcome' && row.status !== 'waiting') {
      const status = row.doneBefore ? 'before' : row.status;
      calls.set(call.id, { ...call, status, hasRun: status === 'returned' || status === 'unknown' });
    }
  }
  return [...calls.values()];
}

function argsIn(contents: Readonly<Record<string, unknown>> | undefined): LoggedCall['args'] | undefined {
  const args = contents?.['args'];
  return typeof args === 'object' && args !== null ? (args as LoggedCall['args']) : undefined;
}

/** A call in a sentence: its name and arguments, shortened. */
export function shownCall({ tool, args }: Pick<LoggedCall, 'tool' | 'args'>): string {
  const text = JSON.stringify(args);
  return `${tool} ${text.length > 120 ? `${text.slice(0, 119)}…` : text}`;
}
