/**
 * All error codes. They are stable: callers may match on them. `packages/docs/errors.md` describes each one, and a
 * spec compares the two lists.
 */
export const ERROR_CODES = [
  'ACTIONS_UNAVAILABLE',
  'AGENT_CONFIG_INVALID',
  'AGENT_NAME_INVALID',
  'AGENT_NAME_TAKEN',
  'AGENT_STOPPED',
  'ANSWER_INVALID',
  'ARTIFACT_DAMAGED',
  'ARTIFACT_INVALID',
  'AUTH_CONFIG_INVALID',
  'CALLBACK_FAILED',
  'CALL_NOT_SETTLED',
  'CANCELLED',
  'COMPACTION_CONFIG_INVALID',
  'CONSENT_STATE_INVALID',
  'CONTENT_INVALID',
  'CREDENTIAL_EXCHANGER_MISSING',
  'CREDENTIAL_EXCHANGE_FAILED',
  'CREDENTIAL_REJECTED',
  'CREDENTIAL_UNREADABLE',
  'DERIVATION_FAILED',
  'ENCRYPTION_KEY_INVALID',
  'EVENT_INVALID',
  'EVENT_TOO_LARGE',
  'EXPERIMENTAL_DECORATORS_MISSING',
  'HTTP_ADDRESS_BLOCKED',
  'HTTP_OPTION_INVALID',
  'HTTP_REQUEST_FAILED',
  'INSTRUCTION_KEY_MISSING',
  'INVOCATION_ACTIVE',
  'INVOCATION_NOT_FOUND',
  'LIVE_SESSION_REQUIRED',
  'MCP_CONFIG_INVALID',
  'MCP_SERVER_UNAVAILABLE',
  'MESSAGE_INVALID',
  'MODEL_CONFIG_INVALID',
  'MODEL_FAILED',
  'MODEL_MISSING',
  'MODEL_NOT_FOUND',
  'MODEL_UNAVAILABLE',
  'NAME_INVALID',
  'NAME_TOO_LONG',
  'NOT_A_CONTAINER',
  'NOT_AN_AGENT',
  'NOT_A_SUB_AGENT',
  'NOT_A_TOOL',
  'NOT_SUPPORTED',
  'OAUTH_ENDPOINT_INSECURE',
  'NOTHING_TO_EXPLAIN',
  'NOTHING_TO_RESUME',
  'ONCE_INVALID',
  'OPENAPI_DOCUMENT_INVALID',
  'OPENAPI_OPERATION_UNSUPPORTED',
  'OPENAPI_OPTION_INVALID',
  'OUTPUT_INVALID',
  'PLUGIN_INVALID',
  'PLUGIN_NAME_TAKEN',
  'PROVIDER_TOOL_NOT_COMBINABLE',
  'PROVIDER_TOOL_UNSUPPORTED',
  'REQUEST_NOT_PENDING',
  'RESULT_NOT_JSON',
  'RUN_CONFIG_INVALID',
  'RUN_FAILED',
  'RUN_PAUSED',
  'RUNNER_CLOSED',
  'SCHEMA_INVALID',
  'SCHEMA_MISSING',
  'SCHEMA_STALE',
  'SCRIPT_EXHAUSTED',
  'SCRIPT_LEFT_OVER',
  'SERVICE_AMBIGUOUS',
  'SERVICE_CIRCULAR',
  'SERVICE_FAILED',
  'SERVICE_NOT_BOUND',
  'SESSION_CONFLICT',
  'SESSION_EXISTS',
  'SESSION_FILE_INVALID',
  'SESSION_NOT_FOUND',
  'SESSION_TAKEN_OVER',
  'STATE_DELTA_REFUSED',
  'STORAGE_CLOSED',
  'STORAGE_FULL',
  'STORAGE_NEWER',
  'STORAGE_NOT_A_DATABASE',
  'STORAGE_OPTION_INVALID',
  'STORAGE_OUTDATED',
  'STORAGE_ROW_DAMAGED',
  'STORAGE_UNAVAILABLE',
  'STORAGE_URL_INVALID',
  'SUB_AGENT_TWICE',
  'TEST_RUNNER_MISSING',
  'TOOL_ARGUMENTS_INVALID',
  'TOOL_BUSY',
  'TOOL_CONFIG_INVALID',
  'TOOL_DECISION_INVALID',
  'TOOL_FAILED',
  'TOOL_MISPLACED',
  'TOOL_NAME_INVALID',
  'TOOL_NAME_TAKEN',
  'TOOL_NOT_CALLABLE',
  'TOOL_NOT_FOUND',
  'TOOL_PAUSED',
  'TOOL_RATE_LIMITED',
  'TOOL_TIMEOUT',
  'TOOLBOX_CLOSED',
  'TOOLSET_FAILED',
  'TOOLSET_INVALID',
  'TYPE_NOT_REPRESENTABLE',
] as const;

export type AdornErrorCode = (typeof ERROR_CODES)[number];

const BRAND = Symbol.for('adorn.error');

/**
 * Base class of every error that Adorn throws. The message says what happened, what was found instead, and what to
 * do now.
 *
 * Test with `AdornError.is(error)` rather than `instanceof`: it also recognises errors of another copy of this
 * package in the same process.
 */
export abstract class AdornError extends Error {
  abstract readonly code: AdornErrorCode;
  readonly [BRAND] = true;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  static is(value: unknown): value is AdornError {
    try {
      return typeof value === 'object' && value !== null && BRAND in value;
    } catch {
      // A Proxy may throw.
      return false;
    }
  }
}
