import type { Check, CheckGroup } from '@adorn/conformance/check';
import { WebSocket } from 'ws';

import { type Answer, AttackedServer } from './attacked-server.js';
import { secretsOfTools } from './secrets-of-tools.js';

const CANARY = 'SECRET-OF-ADA';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'QUERY'];
const SESSION = '/apps/desk/users/ada/sessions/ada-session';
const OWN = '/adorn/apps/desk/sessions/ada-session';

/** Nothing, and a chat or thread of the caller's own that has not begun: ids are of a user. */
const NOTHING: ReadonlySet<string> = new Set([
  ...['', '[]', '{"messages":[]}', '{"stopped":false}'],
  '{"threadId":"ada-session","messages":[],"state":{},"interrupts":[]}',
]);

/** Routes of every kind: of adk-web, of Adorn, of developers, of other front ends. */
const ROUTES = [
  ...['/', '/list-apps', '/version', '/config/telemetry', '/run', '/run_sse', '/api/reasoning_engine'],
  ...['/apps/desk/users/ada/memory', '/run_live?app_name=desk&user_id=ada&session_id=ada-session'],
  ...['/apps/desk/users/ada/sessions', SESSION, `${SESSION}/artifacts`, `${SESSION}/artifacts/note.txt`],
  ...[`${SESSION}/artifacts/note.txt/versions`, `${SESSION}/artifacts/note.txt/versions/0`],
  ...['/debug/trace/session/ada-session', '/dev/apps/desk/debug/trace/session/ada-session'],
  ...['/dev/apps/desk/build_graph', '/dev/apps/desk/build_graph_image', '/dev/apps/desk/eval_sets'],
  ...['/dev/apps/desk/eval_sets/set', '/dev/apps/desk/eval_sets/set/run_eval', '/dev/apps/desk/eval_results'],
  ...['/dev/apps/desk/builder/save', '/dev/apps/desk/tests/run', '/adorn/apps', '/adorn/apps/desk/sessions'],
  ...[OWN, `${OWN}/runs`, `${OWN}/requests`, `${OWN}/artifacts`, `${OWN}/calls`, `${OWN}/explain`],
  ...[`${OWN}/fork`, `${OWN}/rewind`, `${OWN}/export`, '/adorn/apps/desk/import', '/adorn/apps/desk/tools'],
  ...['/adorn/apps/desk/ui-messages', '/adorn/apps/desk/ui-messages/ada-session', '/adorn/apps/desk/ag-ui'],
  ...['/adorn/apps/desk/ui-messages/ada-session/stream', '/adorn/apps/desk/ag-ui/ada-session'],
];

const FEW_METHODS = ['GET', 'POST'];

/** The attacks that were published for software of this kind, on the running server. @param isQuick by two methods only */
export async function attackClasses(isQuick: boolean): Promise<CheckGroup[]> {
  await using server = await AttackedServer.open();
  await openSecrets(server);
  const methods = isQuick ? FEW_METHODS : METHODS;
  return [
    { name: 'S6 of another user', checks: await otherUsers(server, methods) },
    { name: 'S7 foreign hosts', checks: await foreignHosts(server, methods) },
    { name: 'S7 foreign origins', checks: await foreignOrigins(server, methods) },
    { name: 'S7 forms of any page', checks: await simplePosts(server) },
    { name: 'S7 no code is written', checks: await codeWrites(server) },
    { name: 'S7 sockets of any page', checks: await foreignSockets(server) },
    { name: 'S15 secrets in errors', checks: await secretsInErrors(server, methods) },
    { name: 'S15 secrets of tools', checks: await secretsOfTools() },
    { name: 'S16 reserved state', checks: await reservedState(server) },
  ];
}

/** A session of ada with an artifact, state and a request that waits. */
async function openSecrets({ runner }: AttackedServer): Promise<void> {
  const key = { appName: 'desk', userId: 'ada', sessionId: 'ada-session' };
  await runner.sessions.createSession(key, { note: CANARY });
  await runner.artifacts.save(key, 'note.txt', { text: CANARY });
  await runner.run({ ...key, message: CANARY });
}

async function otherUsers(server: AttackedServer, methods: readonly string[]): Promise<Check[]> {
  const body = JSON.stringify({
    userId: 'ada',
    sessionId: 'ada-session',
    newMessage: { parts: [{ text: 'Hi' }] },
  });
  const checks: Check[] = [];
  for (const user of ['bob', 'dev'])
    for (const path of ROUTES)
      for (const method of methods) {
        const { status, text } = await server.send({ path, method, user, body });
        const isSafe = !text.includes(CANARY) && status < 500;
        const isAbsent = !path.includes('ada-session') || status >= 400 || NOTHING.has(text);
        const what = `${method} ${path} as ${user}`;
        checks.push({
          what,
          fault: isSafe && isAbsent ? undefined : `${String(status)} ${text.slice(0, 100)}`,
        });
      }
  return checks;
}

/** Every method and route, at a name that the server does not have: DNS rebinding. */
function foreignHosts(server: AttackedServer, methods: readonly string[]): Promise<Check[]> {
  const hosts = [
    'evil.example',
    `evil.example:${String(server.port)}`,
    '127.0.0.1.evil.example',
    'localhost.',
    '0.0.0.0',
  ];
  return refusedEverywhere(
    server,
    methods,
    hosts.map((host) => ({ host })),
  );
}

function foreignOrigins(server: AttackedServer, methods: readonly string[]): Promise<Check[]> {
  const origins = [
    'https://evil.example',
    'null',
    `http://localhost.evil.example`,
    'http://127.0.0.1:1',
    'file://',
  ];
  return refusedEverywhere(
    server,
    methods,
    origins.map((origin) => ({ origin })),
  );
}

async function refusedEverywhere(
  server: AttackedServer,
  methods: readonly string[],
  attacks: readonly Readonly<Record<string, string>>[],
): Promise<Check[]> {
  const checks: Check[] = [];
  for (const headers of attacks)
    for (const path of ROUTES)
      for (const method of methods)
        checks.push(
          refused(
            `${method} ${path} ${JSON.stringify(headers)}`,
            await server.send({ path, method, headers }),
          ),
        );
  return checks;
}

/** What a form, or a script without a preflight, can send from any page. */
async function simplePosts(server: AttackedServer): Promise<Check[]> {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
  ];
  const checks: Check[] = [];
  for (const type of types)
    for (const path of ROUTES) {
      const sent = { path, method: 'POST', body: '{"a":1}', headers: { 'content-type': type } };
      checks.push(refused(`POST ${path} ${type}`, await server.send(sent), [415]));
    }
  return checks;
}

/** The endpoints through which code was written to servers of this kind. */
async function codeWrites(server: AttackedServer): Promise<Check[]> {
  const paths = [
    '/builder/save',
    '/dev/apps/desk/builder/save',
    '/dev/apps/desk/tests/x',
    '/dev/apps/desk/tests/rebuild',
  ];
  const files = [
    '/dev/apps/desk/../../agent.ts',
    '/agent.ts',
    '/dev-ui/agent.ts',
    `${SESSION}/artifacts/..%2F..%2Fagent.ts`,
  ];
  const checks: Check[] = [];
  for (const path of [...paths, ...files])
    for (const method of ['POST', 'PUT', 'PATCH'])
      for (const user of ['ada', 'dev'])
        checks.push(
          refused(
            `${method} ${path} as ${user}`,
            await server.send({ path, method, user, body: '{"code":"x"}' }),
            [403, 404],
          ),
        );
  return checks;
}

async function foreignSockets(server: AttackedServer): Promise<Check[]> {
  const url = `ws://127.0.0.1:${String(server.port)}/run_live?app_name=desk&user_id=ada&session_id=ada-session`;
  const user = { 'x-user': 'ada' };
  const attacks: [string, Readonly<Record<string, string>>][] = [
    ['without a user', {}],
    ['of another user', { 'x-user': 'bob' }],
    ['of a foreign page', { ...user, origin: 'https://evil.example' }],
    ['of a page without an origin', { ...user, origin: 'null' }],
    ['at a foreign host', { ...user, host: 'evil.example' }],
  ];
  const checks: Check[] = [];
  for (const [what, headers] of attacks) checks.push({ what, fault: await faultOfSocket(url, headers) });
  return checks;
}

/** A socket that opens is at fault. */
function faultOfSocket(url: string, headers: Readonly<Record<string, string>>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { headers });
    socket.on('open', () => {
      resolve('the socket was opened');
      socket.close();
    });
    socket.on('error', () => {
      resolve(undefined);
    });
  });
}

/** Credentials of a request are in no answer and in no log. */
async function secretsInErrors(server: AttackedServer, methods: readonly string[]): Promise<Check[]> {
  const secret = 'Canary-7f3a';
  const headers = { authorization: `Bearer ${secret}`, cookie: `session=${secret}`, 'x-api-key': secret };
  const checks: Check[] = [];
  for (const path of ROUTES)
    for (const method of methods) {
      const { text } = await server.send({ path, method, headers, body: '{"x"' });
      checks.push({
        what: `${method} ${path}`,
        fault: text.includes(secret) ? text.slice(0, 200) : undefined,
      });
    }
  const logged = server.errors.find((line) => line.includes(secret));
  return [...checks, { what: 'the log', fault: logged }];
}

/** Keys that clients may not write, on every route that takes state. */
async function reservedState(server: AttackedServer): Promise<Check[]> {
  const keys = ['app:x', 'user:x', 'temp:x', '_adorn', '_adorn:x', '__proto__'];
  const newMessage = { role: 'user', parts: [{ text: 'Hi' }] };
  const checks: Check[] = [];
  for (const key of keys) {
    const state = `{${JSON.stringify(key)}:{"polluted":1}}`;
    const message = `"sessionId":"s1","newMessage":${JSON.stringify(newMessage)},"stateDelta":${state}`;
    const attempts: [string, string, string][] = [
      ['POST', '/apps/desk/users/ada/sessions', `{"state":${state}}`],
      ['POST', '/apps/desk/users/ada/sessions/fresh', `{"state":${state}}`],
      ['PATCH', '/apps/desk/users/ada/sessions/s1', `{"stateDelta":${state}}`],
      ['POST', '/run', `{${message}}`],
      ['POST', '/run_sse', `{${message}}`],
      ['POST', '/api/reasoning_engine', `{"input":{${message}}}`],
      ['POST', '/adorn/apps/desk/sessions', `{"state":${state}}`],
      ['PATCH', '/adorn/apps/desk/sessions/s1', `{"stateDelta":${state}}`],
      ['POST', '/adorn/apps/desk/sessions/s1/runs', `{"message":"Hi","stateDelta":${state}}`],
    ];
    for (const [method, path, body] of attempts)
      checks.push(refused(`${method} ${path} ${key}`, await server.send({ method, path, body }), [400]));
  }
  const polluted = ({} as { polluted?: unknown }).polluted;
  return [
    ...checks,
    { what: 'Object.prototype', fault: polluted === undefined ? undefined : 'it is polluted' },
  ];
}

function refused(what: string, { status, text }: Answer, statuses: readonly number[] = [403]): Check {
  return {
    what,
    fault: statuses.includes(status) ? undefined : `got ${String(status)} ${text.slice(0, 100)}`,
  };
}
