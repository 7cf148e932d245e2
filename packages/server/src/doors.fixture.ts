import { once } from 'node:events';

import type { PendingRequest } from '@adorn/core';
import { WebSocket } from 'ws';

export const ACTIONS = ['approve', 'reject', 'up', 'down', 'remember', 'supply', 'cancel'] as const;
export type Action = (typeof ACTIONS)[number];

/** What a person sends, and what it claims of itself beside the credential that `authenticate` reads. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body: object;
}

/** One try at a door. */
export interface Try {
  /** The server, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly request: PendingRequest;
  readonly action: Action;
  readonly sent: Sent;
}

/** Sends an action, and resolves when the door has answered: to its status. Undefined if the door has no such action. */
export type Door = (tried: Try) => Promise<number> | undefined;

/** The arguments of an edit. */
export const CHANGED: Partial<Record<Action, object>> = { up: { cents: 50_000 }, down: { cents: 50 } };

/** The input that is supplied. */
export const INPUT = 'because';

async function post(
  { url, sent }: Try,
  path: string,
  {
    body,
    method = 'POST',
    headers = {},
  }: { body?: object; method?: string; headers?: Record<string, string> },
): Promise<number> {
  const response = await fetch(`${url}${path}?${sent.query}`, {
    method,
    headers: { 'content-type': 'application/json', ...sent.headers, ...headers },
    ...(body !== undefined && { body: JSON.stringify({ ...sent.body, ...body }) }),
  });
  const text = await response.text();
  // JSON-RPC answers a refusal with 200.
  const isRefusal = response.ok && text.startsWith('{"jsonrpc"') && text.includes('"error":');
  return isRefusal ? 400 : response.status;
}

/** The answer as a function response of a message, with claims that nobody may believe. */
function responseOf({ request, action }: Try): object | undefined {
  const { id, kind } = request;
  if (action === 'cancel') return undefined;
  const claims = { by: 'mia', principal: { id: 'mia', roles: ['manager', 'director'] }, imported: false };
  const decision = { confirmed: action !== 'reject', args: CHANGED[action], ...claims };
  const response = action === 'supply' ? { result: INPUT } : { ...decision, remember: 'session' };
  return { functionResponse: { id, name: `adk_request_${kind}`, response } };
}

function messageDoor(path: string, wrap: (tried: Try, content: object) => object): Door {
  return (tried) => {
    const part = responseOf(tried);
    return part && post(tried, path, { body: wrap(tried, { role: 'user', parts: [part] }) });
  };
}

const SESSION = ({ request }: Try) => `/adorn/apps/cashier/sessions/${request.sessionId}`;

function adk({ request: { sessionId } }: Try, newMessage: object): object {
  return { appName: 'cashier', userId: 'ada', sessionId, newMessage };
}

const api: Door = (tried) => {
  const { request, action } = tried;
  if (action === 'cancel')
    return post(tried, `${SESSION(tried)}/runs/${request.invocationId}`, { method: 'DELETE' });
  const decision = action === 'reject' || action === 'supply' ? action : 'approve';
  const remember = action === 'remember' ? 'session' : undefined;
  const body = { decision, args: CHANGED[action], remember, value: INPUT };
  return post(tried, `${SESSION(tried)}/requests/${request.id}`, { body });
};

const agUi: Door = (tried) => {
  const { request, action } = tried;
  if (action === 'cancel' || action === 'remember') return undefined;
  const decision = { approved: action !== 'reject', args: CHANGED[action] };
  const payload = action === 'supply' ? INPUT : decision;
  const resume = [{ interruptId: request.id, status: 'resolved', payload }];
  const body = { threadId: request.sessionId, runId: 'r1', messages: [], resume };
  return post(tried, '/adorn/apps/cashier/ag-ui', { body });
};

const useChat: Door = (tried) => {
  const { request, action } = tried;
  const { id } = request;
  if (action === 'cancel')
    return post(tried, `/adorn/apps/cashier/ui-messages/${request.sessionId}/stream`, { method: 'DELETE' });
  if (action !== 'approve' && action !== 'reject' && action !== 'supply') return undefined;
  const parts = [{ state: 'approval-responded', approval: { id, approved: action === 'approve' } }];
  const messages = [{ role: 'assistant', parts: action === 'supply' ? [] : parts }];
  const answer = action === 'supply' ? { answer: { requestId: id, value: INPUT } } : {};
  return post(tried, '/adorn/apps/cashier/ui-messages', {
    body: { id: request.sessionId, messages, ...answer },
  });
};

function isResponseTo(frame: string, callId: string): boolean {
  const { content } = JSON.parse(frame) as { content?: { parts?: { functionResponse?: { id?: string } }[] } };
  return content?.parts?.some(({ functionResponse }) => functionResponse?.id === callId) === true;
}

/** A WebSocket of a live conversation. One that is refused is closed with a code. */
const socket: Door = (tried) => {
  const { request, action, sent } = tried;
  if (action === 'up' || action === 'down' || action === 'remember') return undefined;
  return (async () => {
    const query = `app_name=cashier&user_id=ada&session_id=${request.sessionId}&${sent.query}`;
    const url = `${tried.url.replace('http', 'ws')}/run_live?${query}`;
    const opened = new WebSocket(url, { headers: sent.headers });
    const closed = new Promise<number>((resolve) => {
      opened.on('error', ({ message }) => {
        resolve(Number(/\d{3}/.exec(message)?.[0] ?? 0));
      });
      opened.on('close', (code) => {
        resolve(code === 1000 ? 200 : 403);
      });
    });
    const isOpen = await Promise.race([once(opened, 'open').then(() => true), closed.then(() => false)]);
    if (!isOpen) return closed;
    const part = responseOf(tried);
    const hangUp = (): void => {
      opened.send(JSON.stringify({ close: true }));
    };
    if (part === undefined) hangUp();
    else {
      // The session stays open until the call has its response.
      opened.on('message', (data: Buffer) => {
        if (isResponseTo(data.toString(), request.functionCallId)) hangUp();
      });
      opened.send(JSON.stringify({ content: { parts: [part] } }));
    }
    return closed;
  })();
};

const a2a: Door = (tried) => {
  const { request, action } = tried;
  if (action === 'up' || action === 'down' || action === 'remember') return undefined;
  const taskId = request.invocationId;
  const data = action === 'supply' ? { value: INPUT } : { confirmed: action === 'approve' };
  const parts = [{ data: { requestId: request.id, ...data, by: 'mia' } }];
  const message = { messageId: request.id, role: 'ROLE_USER', taskId, parts };
  const call =
    action === 'cancel'
      ? { method: 'CancelTask', params: { id: taskId } }
      : { method: 'SendMessage', params: { message } };
  const headers = { 'a2a-version': '1.0' };
  return post(tried, '/a2a/cashier', { body: { jsonrpc: '2.0', id: 1, ...call }, headers });
};

/** The doors of a server. Those of MCP and of the studio are beside them in the matrix. */
export const DOORS: Readonly<Record<string, Door>> = {
  api,
  runs: (tried) => messageDoor(`${SESSION(tried)}/runs`, (_tried, message) => ({ message }))(tried),
  run: messageDoor('/run', adk),
  runSse: messageDoor('/run_sse', (tried, message) => ({ ...adk(tried, message), streaming: true })),
  agUi,
  useChat,
  socket,
  a2a,
};

/** The files that begin runs or answer requests for others than the program itself, and the doors that they are. */
export const DOORS_OF_FILES: Readonly<Record<string, readonly string[]>> = {
  'a2a/src/server/task-answer.ts': ['a2a'],
  'a2a/src/server/task-handler.ts': ['a2a'],
  // Buttons approve and reject only: channels/src/who-may-press.spec.ts.
  'channels/src/channel-door.ts': [],
  'mcp/src/server/client-questions.ts': ['mcp'],
  'mcp/src/server/served-tools.ts': ['mcp'],
  // The program itself signals, and the time.
  'schedules/src/waiting.ts': [],
  'server/src/adk/run-request.ts': ['run', 'runSse'],
  'server/src/api/api-routes.ts': ['api', 'runs', 'studio'],
  // Only for developers.
  'server/src/api/developer-routes.ts': [],
  'server/src/live/live-call.ts': ['socket'],
  'server/src/ui/ui-answers.ts': ['agUi', 'useChat'],
};
