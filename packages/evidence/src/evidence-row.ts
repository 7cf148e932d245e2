import { hash } from 'node:crypto';

import type { ApproverRule, Caller, Principal } from '@adorn/core/backend';

import { canonicalText } from './canonical-text.js';

/** The version of the format. */
export const EVIDENCE_VERSION = 1;

/** Values of a row that are not in its own digest, but stand there by digests of their own: they can be taken out later. */
type Contents = Readonly<Record<string, unknown>>;

/** What every row has. */
export interface EvidenceLink {
  /** Its number, from 0. */
  readonly no: number;
  /** The digest of the row before it; empty in the first one. */
  readonly prev: string;
  /**
   * SHA-256, as base64url, of the canonical JSON (RFC 8785) of the row without its `digest`, `contents` and `signature`.
   */
  readonly digest: string;
  /** SHA-256 of each of the contents, as base64url of its canonical JSON. Absent if there are none. */
  readonly sha256?: Readonly<Record<string, string>>;
  /** The contents. Absent if they were left out. */
  readonly contents?: Contents;
}

/** Which rows are exported. */
export interface EvidenceQuery {
  /** Only the sessions of this user. Default: of all users, which the session service has to be able to list. */
  readonly userId?: string;
  /** Only this session; needs `userId`. */
  readonly sessionId?: string;
  /** Only the run of this invocation, with all invocations that continued it. */
  readonly invocationId?: string;
  /** Only the calls of this tool, with their requests and answers. */
  readonly tool?: string;
  /** Only what was stored at this time or later. */
  readonly since?: Date;
  /** Only what was stored before this time. */
  readonly until?: Date;
}

/** The first row: what was exported, of which application, and when. */
export interface EvidenceHeader {
  readonly kind: 'header';
  readonly format: 'adorn-evidence';
  readonly version: number;
  readonly appName: string;
  readonly query: Readonly<Record<string, string>>;
  /** When, as ISO 8601. */
  readonly exportedAt: string;
  /** The id of the key that signs the last row: SHA-256 of its public half (SPKI, DER). Absent if none does. */
  readonly key?: string;
}

/** The last row: a file without it was cut. */
export interface EvidenceEnd {
  readonly kind: 'end';
  /** How many rows are between the header and this one. */
  readonly rows: number;
  /** Ed25519, as base64url, of `adorn-evidence 1 ` and the digest of this row. */
  readonly signature?: string;
}

/** Where in the log something stands. */
interface Place {
  readonly userId: string;
  readonly sessionId: string;
  /** The sequence number of the event. */
  readonly seq: number;
  readonly eventId: string;
  readonly invocationId: string;
  /** When the event was stored, in seconds since 1970. */
  readonly at: number;
}

/** Somebody said something. Contents: `content`. */
interface MessageFact {
  readonly kind: 'message';
  readonly by: Principal;
}

/** A tool was to be called. Contents: `args`. */
interface CallFact {
  readonly kind: 'call';
  readonly callId: string;
  readonly tool: string;
  readonly agent: string;
  /** Who began the run. */
  readonly requester: Principal;
  /** Who called, if no model did. */
  readonly caller?: Caller;
}

/** Somebody was asked. Contents: `args`, `hint`, `payload`, `schema` and `authConfig` (without secrets), as they were shown. */
interface RequestFact {
  readonly kind: 'request';
  readonly requestId: string;
  readonly asks: 'confirmation' | 'credential' | 'input' | 'result';
  readonly callId: string;
  readonly tool: string;
  readonly requester: Principal;
  /** Who may answer. Absent: the requester, and whom the application names. */
  readonly approvers?: readonly ApproverRule[];
  /** Which later calls an approval for the session would cover: those with this key, or none if false. Absent: all of the tool. */
  readonly remember?: string | false;
  /** The digest of the definition of the tool. */
  readonly definition?: string;
  readonly expiresAt?: number;
  readonly askedBy?: string;
  /** Why it was asked again. */
  readonly askedAgain?: string;
  readonly mayHaveTakenEffect?: boolean;
}

/** Somebody answered. Contents: `args` if they were changed, `payload`, `reason`, and `value` of what was supplied. */
interface AnswerFact {
  readonly kind: 'answer';
  readonly requestId: string;
  readonly asks: RequestFact['asks'];
  readonly callId: string;
  readonly tool: string;
  readonly verdict: 'approved' | 'rejected' | 'supplied' | 'delegated';
  /** Who answered, with the roles at that moment. */
  readonly by: Principal;
  /** When, in seconds since 1970, by the clock of the runner. Default: that of the event. */
  readonly answeredAt?: number;
  readonly channel?: string;
  /** True if the request stays open: an approval of several, an interim result, a delegation. */
  readonly isPartial?: boolean;
  /** True if the arguments of the call were changed. */
  readonly isEdited?: boolean;
  /** `session` if it covers later calls. */
  readonly remember?: string;
  /** To whom the right to answer was passed on. */
  readonly to?: string;
  /** By whose right somebody answered to whom it was passed on. */
  readonly delegatedBy?: string;
  /** True if only the escalation of the request lets this one answer. */
  readonly isEscalated?: boolean;
  /** True for an answer of an imported log, which lets nothing run. */
  readonly isImported?: boolean;
}

/** A call got a response. Contents: `response`. */
interface OutcomeFact {
  readonly kind: 'outcome';
  readonly callId: string;
  readonly tool: string;
  /** `waiting`: an interim response; `error`: the response has an `error`; `unknown`: it may have taken effect, or not. */
  readonly status: 'returned' | 'error' | 'unknown' | 'waiting';
  /** Which earlier call had the effect, for a tool with `once`: this one did nothing. */
  readonly doneBefore?: { readonly at: string; readonly by: string };
}

/** An agent answered. Contents: `text`. */
interface ReplyFact {
  readonly kind: 'reply';
  readonly agent: string;
}

/** A run failed, or an agent did. Contents: `message`. */
interface ErrorFact {
  readonly kind: 'error';
  readonly agent: string;
  readonly code: string;
}

/** An invocation and everything after it was undone in the conversation; its effects were not. */
interface RewindFact {
  readonly kind: 'rewind';
  readonly before: string;
}

/** Somebody judged an answer. Contents: `comment`. The `invocationId` is that of the answer. */
interface FeedbackFact {
  readonly kind: 'feedback';
  /** The id of the event that was judged. */
  readonly of: string;
  readonly by: Principal;
  /** From 0, bad, to 1, good. Absent: what was said before is taken back. */
  readonly score?: number;
  readonly label?: string;
}

/**
 * Somebody has looked, and said what became of an effect of `once` whose outcome was unknown. Contents: `result` and `reason`. Of several
 * with the same `effect` and `claimedAt`, the first one holds.
 */
interface SettlementFact {
  readonly kind: 'settlement';
  readonly callId: string;
  readonly tool: string;
  /** The id of the effect. */
  readonly effect: string;
  /** When the call began that had the effect, or had it not; in seconds since 1970. */
  readonly claimedAt: number;
  readonly by: Principal;
  readonly happened: boolean;
}

/** One thing that happened, as the log has it. */
export type EvidenceFact = Place &
  (
    | MessageFact
    | CallFact
    | RequestFact
    | AnswerFact
    | OutcomeFact
    | ReplyFact
    | ErrorFact
    | RewindFact
    | FeedbackFact
    | SettlementFact
  );

/** A row of an export. */
export type EvidenceRow = EvidenceLink & (EvidenceHeader | EvidenceFact | EvidenceEnd);

/** A row before it is in a chain. */
export interface UnchainedRow {
  readonly row: EvidenceHeader | EvidenceFact | EvidenceEnd;
  readonly contents?: Contents | undefined;
}

/** A row at its place in the chain. */
export function chained(
  { row, contents }: UnchainedRow,
  { no, prev }: Pick<EvidenceLink, 'no' | 'prev'>,
  withContents: boolean,
): EvidenceRow {
  const given = Object.entries(contents ?? {}).filter(([, value]) => value !== undefined);
  const hasContents = given.length > 0;
  const sha256 = Object.fromEntries(given.map(([name, value]) => [name, digestOf(value)]));
  const linked = { ...row, no, prev, ...(hasContents && { sha256 }) };
  const shown = hasContents && withContents ? { contents: Object.fromEntries(given) } : {};
  return { ...linked, digest: digestOf(linked), ...shown };
}

/** The digest that a row has to have. */
export function digestOfRow(row: Readonly<Record<string, unknown>>): string {
  const { digest: _digest, contents: _contents, signature: _signature, ...linked } = row;
  return digestOf(linked);
}

/** SHA-256 of the canonical JSON, as base64url. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonicalText(value), 'base64url');
}

/** A row as a line of a file, with its end. */
export function lineOf(row: unknown): string {
  return `${canonicalText(row)}\n`;
}

/**
 * A line of an export without its contents. The chain and a signature hold as before, so the contents of one person can be
 * taken out of a file that is kept.
 */
export function withoutContents(line: string): string {
  const { contents: _contents, ...row } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  return lineOf(row);
}
