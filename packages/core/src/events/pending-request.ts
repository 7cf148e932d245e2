import type { RequestedAuthConfig } from '../auth/requested-auth-config.js';
import { AdornError } from '../errors/adorn.error.js';
import type { SessionKey } from './session.js';

/** A request that a person or an external system must answer before the run continues. */
export interface PendingRequestData {
  readonly kind: 'confirmation' | 'credential' | 'input' | 'result';
  /** The id to answer: of the synthetic call, or of the long-running call itself. */
  readonly id: string;
  /** The id of the waiting call. */
  readonly functionCallId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The question to the person. */
  readonly hint?: string;
  /** Data shown with the hint. A person may return data with an approval. */
  readonly payload?: unknown;
  /** JSON Schema of the requested input. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Digest of the tool's definition at the time of the request. An approval is void if the definition changes. */
  readonly definition?: string;
  /** When an approval comes too late, in seconds since 1970. Default: never. */
  readonly expiresAt?: number;
  /** `tool` if the tool asked while it ran; it runs again from its start with the answer. */
  readonly askedBy?: 'tool';
  /** The requested credential, without secrets. */
  readonly authConfig?: RequestedAuthConfig;
}

/** A pending request with the address of its session, as a runner returns it. */
export interface PendingRequest extends PendingRequestData {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly invocationId: string;
  /** The path of the agent that waits: `coordinator/refunds`. Undefined in logs of other ADKs. */
  readonly path?: string | undefined;
}

/** A request as a runner returns it, with where it was made. */
export function pendingRequest(
  request: PendingRequestData,
  { appName, userId, sessionId }: SessionKey,
  { invocationId, path }: { readonly invocationId: string; readonly path?: string | undefined },
): PendingRequest {
  return {
    ...request,
    ...{ appName, userId, sessionId, invocationId },
    ...(path !== undefined && { path }),
  };
}

/** The names of the synthetic calls for requests to a person, as ADK clients know them. */
export const REQUEST_CONFIRMATION = 'adk_request_confirmation';
export const REQUEST_CREDENTIAL = 'adk_request_credential';

/** Begins the call id of a request for the credential of a toolset: it is no call's. */
export const TOOLSET_AUTH = '_adk_toolset_auth_';
export const REQUEST_INPUT = 'adk_request_input';

const REQUEST_NAMES = {
  confirmation: REQUEST_CONFIRMATION,
  credential: REQUEST_CREDENTIAL,
  input: REQUEST_INPUT,
} as const;

/** The name under which a request is answered: of its synthetic call, or of the tool whose result is awaited. */
export function answerNameOf({ kind, tool }: Pick<PendingRequestData, 'kind' | 'tool'>): string {
  return kind === 'result' ? tool : REQUEST_NAMES[kind];
}

/** True for calls and responses of requests to a person, which models never see. */
export function isRequestName(name: string | undefined): boolean {
  return name === REQUEST_CONFIRMATION || name === REQUEST_CREDENTIAL || name === REQUEST_INPUT;
}

/** A confirmation request for a call, and its answer. */
export interface ToolConfirmation {
  /** The question to the person. */
  readonly hint: string;
  readonly confirmed: boolean;
  /** Data that the person sent with the answer, for the tool. */
  readonly payload?: unknown;
  /** Who decided, as the caller of the runner says. */
  readonly by?: string;
  /** By which way, such as `web` or `slack`, as the caller of the runner says. */
  readonly channel?: string;
}

/** The answered request does not exist or is not open any more. */
export class RequestNotPendingError extends AdornError {
  readonly code = 'REQUEST_NOT_PENDING';

  constructor(readonly requestId: string) {
    super(
      `No request "${requestId}" is pending in this session: it was never made here, or is answered already. ` +
        'Call runner.pending to list the open requests.',
    );
  }
}
