import { readdirSync, readFileSync } from 'node:fs';

import { ERROR_CODES } from './error-codes.js';

/** The folders of the sources of schema and core. */
const SOURCES = ['../', '../../../core/src/'].map((folder) => new URL(folder, import.meta.url));

/** The codes are public: callers match on them. One is added here when it is added there, and none is renamed. */
const PINNED = [
  'A2A_CONFIG_INVALID',
  'A2A_OUTCOME_UNKNOWN',
  'A2A_PEER_FAILED',
  'ACCESS_REFUSED',
  'ACTIONS_UNAVAILABLE',
  'AGENT_CONFIG_INVALID',
  'AGENT_NAME_INVALID',
  'AGENT_NAME_TAKEN',
  'AGENT_STOPPED',
  'AGENT_TREE_CHANGED',
  'ANSWER_INVALID',
  'ANSWER_REFUSED',
  'APPROVERS_INVALID',
  'APPROVER_NOT_ALLOWED',
  'ARTIFACT_DAMAGED',
  'ARTIFACT_INVALID',
  'ARTIFACT_VERSION_TAKEN',
  'AUTH_CONFIG_INVALID',
  'CALLBACK_FAILED',
  'CALL_AMBIGUOUS',
  'CALL_INVALID',
  'CALL_NOT_SETTLED',
  'CALL_REFUSED',
  'CANCELLED',
  'CASSETTE_INVALID',
  'CASSETTE_LEFT_OVER',
  'CASSETTE_MISS',
  'CASSETTE_NOT_REPLAYABLE',
  'CHANNEL_FAILED',
  'CODE_EXECUTOR_UNAVAILABLE',
  'COMPACTION_CONFIG_INVALID',
  'CONSENT_STATE_INVALID',
  'CONTENT_INVALID',
  'CONTEXT_CLOSED',
  'CONTEXT_TOO_LONG',
  'CORE_COPIES_INCOMPATIBLE',
  'CREDENTIAL_EXCHANGER_MISSING',
  'CREDENTIAL_EXCHANGE_FAILED',
  'CREDENTIAL_REJECTED',
  'CREDENTIAL_UNREADABLE',
  'DELIVERY_REFUSED',
  'DERIVATION_FAILED',
  'EFFECT_NOT_OPEN',
  'EFFECT_UNKNOWN',
  'ENCRYPTION_KEY_INVALID',
  'EVALS_FAILED',
  'EVAL_CONFIG_INVALID',
  'EVAL_SET_INVALID',
  'EVENT_INVALID',
  'EVENT_NOT_FOUND',
  'EVENT_TOO_LARGE',
  'EVIDENCE_KEY_INVALID',
  'EXPERIMENTAL_DECORATORS_MISSING',
  'FEEDBACK_INVALID',
  'FEEDBACK_LIMIT_REACHED',
  'FILE_CONFLICT',
  'FILE_PATH_INVALID',
  'FILE_UNAVAILABLE',
  'FORK_POINT_NOT_FOUND',
  'GUARDRAIL_TRIPPED',
  'HTTP_ADDRESS_BLOCKED',
  'HTTP_OPTION_INVALID',
  'HTTP_REQUEST_FAILED',
  'INSTRUCTION_KEY_MISSING',
  'INVOCATION_ACCEPTED',
  'INVOCATION_ACTIVE',
  'INVOCATION_NOT_FOUND',
  'INVOCATION_REPEATED',
  'LIBRARY_MISSING',
  'LIMIT_REACHED',
  'LIVE_MODEL_MISSING',
  'LIVE_NOT_SUPPORTED',
  'LIVE_SESSIONS_MISSING',
  'MAILBOX_FULL',
  'MCP_CONFIG_INVALID',
  'MCP_REQUEST_FAILED',
  'MCP_SERVER_UNAVAILABLE',
  'MESSAGE_INVALID',
  'MODEL_CONFIG_INVALID',
  'MODEL_FAILED',
  'MODEL_MISSING',
  'MODEL_NOT_FOUND',
  'MODEL_UNAVAILABLE',
  'NAME_INVALID',
  'NAME_TOO_LONG',
  'NETWORK_BLOCKED',
  'NODE_TOO_OLD',
  'NOTHING_TO_EXPLAIN',
  'NOTHING_TO_RESUME',
  'NOT_AN_AGENT',
  'NOT_A_CONTAINER',
  'NOT_A_SUB_AGENT',
  'NOT_A_TOOL',
  'NOT_FOUND',
  'NOT_SUPPORTED',
  'OAUTH_ENDPOINT_INSECURE',
  'ONCE_INVALID',
  'ONCE_KEY_INVALID',
  'OPENAPI_DOCUMENT_INVALID',
  'OPENAPI_OPERATION_UNSUPPORTED',
  'OPENAPI_OPTION_INVALID',
  'OPTION_INVALID',
  'OUTPUT_INVALID',
  'PLUGIN_INVALID',
  'PLUGIN_NAME_TAKEN',
  'POLICIES_MISSING',
  'PRINCIPAL_INVALID',
  'PROFILE_INVALID',
  'PROVIDER_TOOL_NOT_COMBINABLE',
  'PROVIDER_TOOL_UNSUPPORTED',
  'RECORDING_OPTION_INVALID',
  'REQUESTERS_MIXED',
  'REQUEST_CHANGED',
  'REQUEST_INVALID',
  'REQUEST_NOT_PENDING',
  'REQUEST_OF_OTHER_AGENT',
  'RESTATE_REQUEST_FAILED',
  'RESTATE_WORKER_OPEN',
  'RESULT_NOT_JSON',
  'RESULT_TOO_LARGE',
  'RUNNER_CLOSED',
  'RUN_CONFIG_INVALID',
  'RUN_FAILED',
  'RUN_INTERRUPTED',
  'RUN_PAUSED',
  'RUN_SUBJECT_INVALID',
  'SANDBOX_FAILED',
  'SANDBOX_OPTION_INVALID',
  'SCHEDULED_RUN_INVALID',
  'SCHEDULE_INVALID',
  'SCHEDULE_NOT_FOUND',
  'SCHEMA_INVALID',
  'SCHEMA_MISSING',
  'SCHEMA_STALE',
  'SCRIPT_EXHAUSTED',
  'SCRIPT_LEFT_OVER',
  'SERVER_BUSY',
  'SERVER_OPTION_INVALID',
  'SERVICE_AMBIGUOUS',
  'SERVICE_CIRCULAR',
  'SERVICE_FAILED',
  'SERVICE_NOT_BOUND',
  'SESSION_CONFLICT',
  'SESSION_EXISTS',
  'SESSION_FILE_INVALID',
  'SESSION_NOT_FOUND',
  'SESSION_NOT_RECORDABLE',
  'SESSION_TAKEN_OVER',
  'SIGNAL_NOT_AWAITED',
  'SKILL_INVALID',
  'SKILL_OPTION_INVALID',
  'STATE_DELTA_REFUSED',
  'STEP_NOT_REACHED',
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
  'TOOLBOX_CLOSED',
  'TOOLSET_FAILED',
  'TOOLSET_INVALID',
  'TOOL_ARGUMENTS_INVALID',
  'TOOL_BUSY',
  'TOOL_CALL_CUT',
  'TOOL_CALL_LIMIT',
  'TOOL_CONFIG_INVALID',
  'TOOL_DECISION_INVALID',
  'TOOL_FAILED',
  'TOOL_MISPLACED',
  'TOOL_NAME_INVALID',
  'TOOL_NAME_TAKEN',
  'TOOL_NOT_CALLABLE',
  'TOOL_NOT_FOUND',
  'TOOL_NOT_SEARCHED',
  'TOOL_PAUSED',
  'TOOL_RATE_LIMITED',
  'TOOL_SEARCH_OPTION_INVALID',
  'TOOL_TIMEOUT',
  'TYPE_NOT_REPRESENTABLE',
  'UI_CALL_REFUSED',
  'UI_INVALID',
  'UI_NOT_FOUND',
  'UNDO_INVALID',
  'WORKSPACE_OPTION_INVALID',
];

describe('ERROR_CODES', () => {
  it('are these', () => {
    expect([...ERROR_CODES].sort()).toEqual(PINNED);
  });

  it('are borne by every error of schema and core, one each, but for the one that has the code of a stored error', () => {
    const errors = errorClasses();

    expect(errors.length).toBeGreaterThan(100);
    for (const { name, codes } of errors) {
      const count = name === 'StoredToolError' ? 0 : 1;
      expect([name, codes.length, codes.every((code) => PINNED.includes(code))]).toEqual([name, count, true]);
    }
  });
});

interface ErrorClass {
  readonly name: string;
  readonly codes: readonly string[];
}

/** Every class of the sources that extends AdornError, with the codes its body states. */
function errorClasses(): ErrorClass[] {
  return sourceFiles().flatMap((path) => {
    const [, ...classes] = readFileSync(path, 'utf8').split(/^(?:export )?class /m);
    return classes.filter((text) => /^\w+ extends AdornError\b/.test(text)).map(readErrorClass);
  });
}

function readErrorClass(text: string): ErrorClass {
  const codes = [...text.matchAll(/\bcode(?:: AdornErrorCode)? = (?:.* \?\? )?'(\w+)'/g)].map(([, code]) =>
    String(code),
  );
  return { name: /^\w+/.exec(text)?.[0] ?? '', codes };
}

function sourceFiles(): URL[] {
  return SOURCES.flatMap((folder) => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const sources = files.filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'));
    return sources.map((path) => new URL(path, folder));
  });
}
