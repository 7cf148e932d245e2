import type { Session, SessionKey } from '../events/session.js';
import { assertSessionKey } from '@adorn/schema';
import { Cancellation, followSignal, InvocationCancelledError } from '../run/cancellation.js';
import { Invocation } from '../run/invocation.js';
import { newInvocationId, newSessionId } from '../runtime/ids.js';
import type { SessionService } from '../stores/sessions/session.service.js';
import { TRANSFER_TO_AGENT } from '../tools/builtin/control-flow.tools.js';
import type { Tool } from '../tools/tool.js';
import { openedTools } from '../tools/toolsets/opened-tools.js';
import { listToolsets } from '../turn/list-toolsets.js';
import { SET_MODEL_RESPONSE } from '../turn/structured-output.js';
import { agentCalled, type CallInput } from './begin/call-input.js';
import { copyOf } from './explain.js';
import { type ConversationAddress, DEFAULT_USER } from './begin/run-input.js';
import type { RunSetting } from './begin/run-setting.js';

/** Whose tools are listed, and for which conversation. */
export interface ToolsInput extends ConversationAddress, Pick<CallInput, 'agent' | 'signal'> {
  /** True for the tools as well that no model is offered, which pages of their servers call (MCP Apps). Default: false. */
  readonly forPages?: boolean | undefined;
}

/** The functions of an agent that steer its own turn. */
const STEERING: ReadonlySet<string> = new Set([TRANSFER_TO_AGENT, SET_MODEL_RESPONSE]);

/**
 * The tools that an agent may call now, in a conversation that need not exist. It is read and not written.
 *
 * @throws {CallInvalidError | InvocationCancelledError}
 */
export async function toolsOfAgent(
  { appName, root, services, config }: RunSetting,
  { agent: name, userId = DEFAULT_USER, sessionId = newSessionId(), signal, forPages = false }: ToolsInput,
): Promise<readonly Tool[]> {
  const agent = agentCalled(root, name);
  const key = { appName, userId, sessionId };
  assertSessionKey(key);
  const session = (await services.sessions.getSession(key)) ?? (await emptySession(services.sessions, key));
  const cancellation = new Cancellation(services.clock);
  const unfollow = followSignal(cancellation, signal);
  const invocation = new Invocation({
    invocationId: newInvocationId(),
    ...{ root, session, config, cancellation, services },
  });
  try {
    const context = invocation.enter(agent, agent.path);
    const { tools: table, listed } = await listToolsets(agent, context);
    if (cancellation.isCancelled) throw new InvocationCancelledError();
    const offered = [...agent.tools.tools, ...listed, ...openedTools(agent.boxes, table, context)];
    const tools = forPages ? [...offered, ...table.forPages] : offered;
    return tools.filter((tool) => tool.declaration() !== undefined && !STEERING.has(tool.name));
  } finally {
    unfollow();
    invocation.end();
  }
}

/** A conversation that is stored nowhere, with the state of its application and user. */
async function emptySession(sessions: SessionService, key: SessionKey): Promise<Session> {
  const copy = await copyOf(sessions, key);
  return (await copy.getSession(key)) ?? copy.createSession(key);
}
