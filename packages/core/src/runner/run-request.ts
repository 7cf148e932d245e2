import type { Content } from '../content/genai-types.js';
import { toUserContent } from '../content/user-content.js';
import type { SessionKey } from '../events/session.js';
import type { InvocationServices } from '../invocation/invocation-services.js';
import { type CompleteRunConfig, overlayRunConfig } from '../invocation/run-config.js';
import { checkName, checkSessionKey } from '../names/check-name.js';
import { newSessionId } from '../runtime/ids.js';
import { callerDelta, type StateDelta } from '../state/state-delta.js';
import { DEFAULT_USER, type DefaultUserWarning } from './default-user.js';
import type { SignedAnswers } from './read-answers.js';
import { type Answerer, type ExecutionInput, requireInput, type RunInput } from './run-input.js';

/** What a run was asked for, checked. */
export interface RunRequest extends Pick<RunInput, 'invocationId' | 'signal'> {
  readonly kind: ExecutionInput['kind'];
  /** Without parts if the run continues another. */
  readonly message: Content;
  readonly answerer: SignedAnswers;
  readonly stateDelta: StateDelta | undefined;
  readonly config: CompleteRunConfig;
  readonly key: SessionKey;
}

const NO_MESSAGE: Content = Object.freeze({ parts: [] });

/** What of a runner a request is checked against. */
export interface RequestSetting {
  readonly appName: string;
  readonly services: Pick<InvocationServices, 'clock'>;
  readonly config: CompleteRunConfig;
  readonly defaultUser: DefaultUserWarning;
}

/** Refuses everything that can be refused before the run waits for its session. */
export function checkedRequest(
  setting: RequestSetting,
  runId: string,
  { kind, input }: ExecutionInput,
): RunRequest {
  const { appName, services, defaultUser } = setting;
  requireInput(kind === 'message' ? 'run' : 'resume', input, appName);
  const isMessage = kind === 'message';
  const message = isMessage ? toUserContent(input.message) : NO_MESSAGE;
  const stateDelta = isMessage && input.stateDelta !== undefined ? callerDelta(input.stateDelta) : undefined;
  const config = overlayRunConfig(setting.config, input.config);
  const { userId = DEFAULT_USER, sessionId = newSessionId(), invocationId, signal } = input;
  const key = { appName, userId, sessionId };
  checkSessionKey(key);
  if (input.userId === undefined && input.sessionId !== undefined) defaultUser.note(sessionId);
  checkName('id of an invocation', runId);
  const { by = userId, channel, remember }: Answerer = isMessage ? input : {};
  const answerer = { by, channel, remember, at: services.clock.now() };
  return { kind, message, answerer, stateDelta, config, key, invocationId, signal };
}
