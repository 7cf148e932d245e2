import type { Event } from '../../index.js';

/** What an event tells of its place and its effect, without ids and times. */
export interface EventRow {
  readonly author: string;
  /** The path of the agent run (`nodeInfo.path`). */
  readonly path?: string;
  readonly branch?: string;
  /** `text`, `call <name>`, `response <name>`, `pending <name>` for a response that says that another follows. */
  readonly parts?: readonly string[];
  readonly transferToAgent?: string;
  readonly escalate?: true;
  readonly endOfAgent?: true;
  readonly errorCode?: string;
}

export function rowOf({ author, nodeInfo, branch, content, actions, errorCode }: Event): EventRow {
  const { transferToAgent, escalate, endOfAgent } = actions;
  const parts = (content?.parts ?? []).map(({ functionCall, functionResponse }) => {
    if (functionCall !== undefined) return `call ${functionCall.name ?? ''}`;
    if (functionResponse === undefined) return 'text';
    return `${functionResponse.willContinue === true ? 'pending' : 'response'} ${functionResponse.name ?? ''}`;
  });
  return {
    author,
    ...(nodeInfo?.path !== undefined && { path: nodeInfo.path }),
    ...(branch !== undefined && { branch }),
    ...(parts.length > 0 && { parts }),
    ...(transferToAgent !== undefined && { transferToAgent }),
    ...(escalate === true && { escalate }),
    ...(endOfAgent === true && { endOfAgent }),
    ...(errorCode !== undefined && { errorCode }),
  };
}

/** The rows with each stretch of parallel branches sorted by branch: they write in any order among each other. */
export function sortedRows(rows: readonly EventRow[]): EventRow[] {
  const stretches: EventRow[][] = [];
  for (const row of rows) {
    const last = stretches.at(-1);
    if (last?.[0] !== undefined && sideOf(row) !== '' && sideOf(last[0]) !== '') last.push(row);
    else stretches.push([row]);
  }
  return stretches.flatMap((stretch) =>
    stretch.sort((one, other) => sideOf(one).localeCompare(sideOf(other))),
  );
}

/** The parallel branch in a branch: `research.0` of `research.0.c1`, in which a tool runs an agent. */
function sideOf({ branch = '' }: EventRow): string {
  return /^(\w+\.\d+(\.|$))+/.exec(branch)?.[0] ?? '';
}
