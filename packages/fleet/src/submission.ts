import type { PendingRequest, SessionKey } from '@adorn/core';
import {
  answerNameOf,
  ANY,
  type ApproveOptions,
  checkOptions,
  type FunctionResponse,
  LIMIT,
  OBJECT,
  oneOf,
  OptionInvalidError,
  type OptionRules,
  type PrincipalInput,
  type ReadTime,
  required,
  rule,
  type RunInput,
  shownName,
  TEXT,
  TEXTS,
  toPrincipal,
} from '@adorn/core/backend';

/**
 * A message, the decision about a request, what it waits for, or an undo, for a session. It is stored as JSON. What is about a request
 * is for the session of that request, which need not be named.
 */
export type Submission = Pick<RunInput, 'appName' | 'userId' | 'sessionId' | 'invocationId'> & {
  /** Milliseconds before it may begin. Later submissions of its session do not wait for it. Default: 0. */
  readonly delay?: number;
} & (
    | (Answering & {
        readonly message: RunInput['message'];
        readonly stateDelta?: RunInput['stateDelta'];
        /**
         * When it is read if a run of the session goes on: before its next model call (`now`), or in its place (`instead`). Default:
         * after what was accepted before.
         */
        readonly when?: SentTime;
      })
    | (Answering &
        Pick<ApproveOptions, 'args' | 'payload' | 'remember'> & { readonly approve: PendingRequest })
    | (Answering & { readonly reject: PendingRequest; readonly reason?: string })
    | (Answering & { readonly supply: PendingRequest; readonly value: unknown })
    | (Answering & {
        readonly delegate: PendingRequest;
        /** The id of the principal who may answer, too. */
        readonly to: string;
      })
    | (Answering & {
        /** The id of the run whose calls are undone. */
        readonly undo: string;
        /** The ids of the calls to undo. Default: all calls of the run. */
        readonly calls?: readonly string[];
      })
  );

/** When a message is read that does not wait for its turn. */
export type SentTime = Exclude<ReadTime, 'next'>;

/** Who sends a message or answers a request. */
export interface Answering {
  /** A name or a principal, kept in the log. Default: the user of the session. */
  readonly by?: PrincipalInput;
  /** The channel of the answer, such as `web` or `slack`. */
  readonly channel?: string;
}

/** What every submission may have. */
const COMMON = {
  appName: TEXT,
  userId: TEXT,
  sessionId: TEXT,
  invocationId: TEXT,
  delay: LIMIT,
  // Read by `toPrincipal`, whose error says more.
  by: ANY,
  channel: TEXT,
};

const REQUEST = required(rule(isRequest, 'Pass a request of runner.pending or runner.inbox.'));

/** What a submission is for. */
export type Purpose = 'message' | 'approve' | 'reject' | 'supply' | 'delegate' | 'undo';

/** What a submission may have, by what it is for. */
const RULES: { readonly [Name in Purpose]: OptionRules<Extract<Submission, Record<Name, unknown>>> } = {
  // The message is read when its run begins, as by `runner.run`.
  message: { ...COMMON, message: ANY, stateDelta: OBJECT, when: oneOf('now', 'instead') },
  approve: { ...COMMON, approve: REQUEST, args: OBJECT, payload: ANY, remember: oneOf('session') },
  reject: { ...COMMON, reject: REQUEST, reason: TEXT },
  supply: { ...COMMON, supply: REQUEST, value: ANY },
  delegate: { ...COMMON, delegate: REQUEST, to: required(TEXT) },
  undo: { ...COMMON, undo: TEXT, calls: TEXTS },
};

const PURPOSES = Object.keys(RULES) as readonly Purpose[];

/** For a submission that is for nothing, perhaps by a slip. */
const NO_PURPOSE: OptionRules = {
  ...COMMON,
  ...Object.fromEntries(PURPOSES.map((purpose) => [purpose, ANY])),
  message: required(
    rule(() => true, 'Pass a message, a request to approve, reject, supply or delegate, or a run to undo.'),
  ),
};

/**
 * Checks the fields of a submission: a worker would find them wrong when nobody listens any more. A message itself is checked by the
 * worker.
 *
 * @throws {OptionInvalidError} for a field that does not exist or has a wrong value, if the submission is for nothing or for two
 * things, or if it names another application, or another session than that of its request
 * @throws {PrincipalInvalidError}
 * @returns what it is for
 */
export function checkSubmission(submission: Submission, appName: string): Purpose | undefined {
  const given = Object(submission) as Partial<Record<Purpose, unknown>>;
  const [purpose, other] = PURPOSES.filter((name) => given[name] !== undefined);
  if (other !== undefined)
    throw invalid(`it has ${String(purpose)} and ${other}`, 'Submit one after the other.');
  checkOptions('fleet.submit', submission, purpose === undefined ? NO_PURPOSE : RULES[purpose]);
  if (submission.by !== undefined) toPrincipal(submission.by, 'by');
  const { userId, sessionId } = requestOf(submission) ?? {};
  for (const [name, value] of Object.entries({ appName, userId, sessionId })) {
    const named = submission[name as keyof SessionKey];
    if (named !== undefined && value !== undefined && named !== value)
      throw invalid(`${name} is "${shownName(named)}", not "${shownName(value)}"`, 'Leave it out.');
  }
  return purpose;
}

function invalid(fault: string, cure: string): OptionInvalidError {
  return new OptionInvalidError('fleet.submit', fault, cure);
}

function isRequest(value: unknown): boolean {
  const { id, kind, userId, sessionId } = Object(value) as Partial<Record<keyof PendingRequest, unknown>>;
  return [id, kind, userId, sessionId].every((text) => typeof text === 'string');
}

/** The request that a submission is about, if it is about one. */
export function requestOf(submission: Submission): PendingRequest | undefined {
  const { approve, reject, supply, delegate } = submission as Partial<
    Record<'approve' | 'reject' | 'supply' | 'delegate', PendingRequest>
  >;
  return approve ?? reject ?? supply ?? delegate;
}

/** The ids and names of what a submission answers. An answer in a message needs no name, and a message may be invalid. */
export function answersIn(submission: Submission): readonly Pick<FunctionResponse, 'id' | 'name'>[] {
  const request = requestOf(submission);
  if (request) return [{ id: request.id, name: answerNameOf(request) }];
  if (!('message' in submission)) return [];
  const message: unknown = submission.message;
  const { parts = message } = Object(message) as { readonly parts?: unknown };
  return [parts].flat().flatMap((part) => {
    const { functionResponse } = Object(part) as { readonly functionResponse?: FunctionResponse | null };
    return functionResponse ?? [];
  });
}
