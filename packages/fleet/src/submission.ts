import type { PendingRequest } from '@adorn/core';
import type {
  ApproveOptions,
  FunctionResponse,
  PrincipalInput,
  ReadTime,
  RunInput,
} from '@adorn/core/backend';

/** A message, the decision about a request, what it waits for, or an undo, for a session. It is stored as JSON. */
export type Submission = Pick<RunInput, 'userId' | 'sessionId' | 'invocationId'> & {
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

/** The ids and names of what a submission answers. An answer in a message needs no name, and a message may be invalid. */
export function answersIn(submission: Submission): readonly Pick<FunctionResponse, 'id' | 'name'>[] {
  if ('supply' in submission) return [{ id: submission.supply.id }];
  if (!('message' in submission)) return [];
  const message: unknown = submission.message;
  const { parts = message } = Object(message) as { readonly parts?: unknown };
  return [parts].flat().flatMap((part) => {
    const { functionResponse } = Object(part) as { readonly functionResponse?: FunctionResponse | null };
    return functionResponse ?? [];
  });
}

/** The request that a submission approves, rejects or supplies, if it does. */
export function requestsAnsweredBy(submission: Submission): PendingRequest[] {
  const { approve, reject, supply } = submission as Partial<
    Record<'approve' | 'reject' | 'supply', PendingRequest>
  >;
  return [approve, reject, supply].filter((request) => request !== undefined);
}
