import type { CredentialAnswer } from '../auth/requested-auth-config.js';
import type { OpenCall } from '../log/pending-call-index.js';
import type { AnsweredRequest, Decision } from '../events/pending-request.js';

/** What came in for a call that waited, with what was decided about it before. */
export interface Answer extends Partial<Decision> {
  readonly open: OpenCall;
  /**
   * `again`: the call enters the gates once more, with what was answered. `result`: what came is its result. `toolset`:
   * no call waited, but the listing of a toolset.
   */
  readonly kind: 'again' | 'result' | 'toolset';
  /** Nobody answered: the process of an earlier run ended while the call was under way, and its tool may run again. */
  readonly isInterrupted?: boolean;
  /** The answers to requests that the tool made while it ran. */
  readonly given?: readonly AnsweredRequest[];
  /** The credential or consent that a person supplied. It is here and in the credential service, and nowhere else. */
  readonly credential?: CredentialAnswer;
}
