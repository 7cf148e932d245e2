import type { Event } from './event.js';

/** Who called a tool, if no model did. */
export interface Caller {
  /** The id of a person or a program. */
  readonly by: string;
  /** The way on which the call came, such as `mcp` or `web`. */
  readonly channel?: string | undefined;
  /** The id of the call whose page made the call (MCP Apps). Absent for any other caller. */
  readonly fromUi?: string | undefined;
}

/** The key of the custom metadata of an event with a call that no model made, and of its response. */
const CALLER = 'adorn:caller';

/** The custom metadata that records the caller. */
export function callerMetadata(caller: Caller): Readonly<Record<string, unknown>> {
  return { [CALLER]: caller };
}

/** Reads who made the calls of an event, or those that it answers; undefined if a model made them. */
export function callerOf({ customMetadata, author }: Event): Caller | undefined {
  if (author === 'user') return undefined;
  const caller = customMetadata?.[CALLER] as Partial<Caller> | null | undefined;
  if (typeof caller?.by !== 'string') return undefined;
  return { by: caller.by, channel: textOrNone(caller.channel), fromUi: textOrNone(caller.fromUi) };
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
