import {
  agent,
  createRunner,
  LlmAgent,
  type PendingRequest,
  type Runner,
  tool,
  ToolContext,
} from '@adorn/core';
import type { ApproverRule, InboxPage } from '@adorn/core/backend';
import { liveSessions } from '@adorn/live';
import { a2aHandler } from '@adorn/a2a';
import { type McpServing, serveMcp } from '@adorn/mcp';
import { ScriptedLive, ScriptedModel } from '@adorn/testing';

import { createAdornClient } from './client/index.js';
import { type Action, ACTIONS, type Door, DOORS, DOORS_OF_FILES, INPUT, type Sent } from './doors.fixture.js';
import { type AdornServer, serve } from './serve.js';
import type { Principal } from './server-options.js';

const ROLES = ['manager', 'director'];
const ADA = { id: 'ada', tenant: 'acme' };
const MIA = { id: 'mia', roles: ['manager'], tenant: 'acme' };

/** Who `authenticate` knows, by the credential. */
const PEOPLE: Readonly<Record<string, Principal>> = {
  ada: ADA,
  bob: { id: 'bob', tenant: 'acme' },
  mia: MIA,
  max: { id: 'max', roles: ['manager'], tenant: 'acme' },
  gil: { id: 'gil', roles: ROLES, tenant: 'globex' },
  /** Other people, whom their tenants call as acme calls ada. */
  adaOfGlobex: { id: 'ada', roles: ROLES, tenant: 'globex' },
  adaOfNone: { id: 'ada', roles: ROLES },
  forAdaOfGlobex: { id: 'gus', actsFor: 'ada', userId: 'ada', roles: ROLES, tenant: 'globex' },
  noTenant: { id: 'noa', roles: ROLES },
  /** Reaches what ada reaches, and acts for herself. */
  sue: { id: 'sue', userId: 'ada', actsFor: 'sue', roles: ['manager'], tenant: 'acme' },
  /** Acts for ada, with roles of his own. */
  dan: { id: 'dan', userId: 'ada', roles: ROLES, tenant: 'acme' },
  /** Has no role. A manager passes requests on to her, see {@link DELEGATE}. */
  dee: { id: 'dee', tenant: 'acme' },
  /** Acts for the manager, without a role of her own. */
  eve: { id: 'eve', actsFor: 'mia', tenant: 'acme' },
};

const CLAIM = { id: 'mia', roles: ROLES, tenant: 'acme', by: 'mia', userId: 'mia' };
const CLAIMS = {
  body: { ...CLAIM, principal: CLAIM, authenticate: CLAIM },
  headers: { 'x-principal': JSON.stringify(CLAIM), 'x-roles': 'manager,director', 'x-tenant': 'acme' },
  query: 'by=mia&roles=manager&principal=mia&tenant=acme',
};

interface Person extends Partial<Sent> {
  /** Undefined for a request without a credential. */
  readonly credential?: string;
}

const PERSONS: Readonly<Record<string, Person>> = {
  requester: { credential: 'ada' },
  'other user': { credential: 'bob' },
  manager: { credential: 'mia' },
  'manager of another tenant': { credential: 'gil' },
  'manager of no tenant': { credential: 'noTenant' },
  'manager at the session of the requester': { credential: 'sue' },
  'delegate of the requester, with roles': { credential: 'dan' },
  'delegate of the manager, without': { credential: 'eve' },
  'delegate that the manager named': { credential: 'dee' },
  'another manager': { credential: 'max' },
  'same id in another tenant': { credential: 'adaOfGlobex' },
  'same id without a tenant': { credential: 'adaOfNone' },
  'delegate of the same id in another tenant': { credential: 'forAdaOfGlobex' },
  nobody: {},
  'manager whose token has expired': { credential: 'expired mia' },
  'requester, forged in the body': { credential: 'ada', body: CLAIMS.body },
  'requester, forged in headers': { credential: 'ada', headers: CLAIMS.headers },
  'requester, forged in the query': { credential: 'ada', query: CLAIMS.query },
  'other user, forged everywhere': { credential: 'bob', ...CLAIMS },
  'nobody, forged everywhere': CLAIMS,
};

/** To whom mia passes on what she may answer. */
const DELEGATE = 'dee';

const RULES = ['manager', 'requester'] as const;
type Rule = (typeof RULES)[number];

type Paid = { readonly cents: number };
const CENTS = { type: 'object', properties: { cents: { type: 'number' } }, required: ['cents'] } as const;
const NONE = { type: 'object', properties: {} } as const;
const ran: unknown[] = [];

class Desk {
  @tool({
    description: 'Pay.',
    parameters: CENTS,
    confirm: true,
    approvers: ({ cents }: Paid): ApproverRule => (cents > 1000 ? { role: 'director' } : { role: 'manager' }),
  })
  pay({ cents }: Paid): void {
    ran.push(cents);
  }

  @tool({ description: 'Pay with four eyes.', parameters: CENTS, approvers: { role: 'manager', count: 2 } })
  payTwice({ cents }: Paid): void {
    ran.push(cents);
  }

  @tool({ description: 'Pay oneself.', parameters: CENTS, confirm: true })
  payOwn({ cents }: Paid): void {
    ran.push(cents);
  }

  @tool({ description: 'Ask a manager.', parameters: NONE })
  async ask(_args: object, context: ToolContext): Promise<void> {
    ran.push(await context.requestInput({ message: 'Why?', schema: TEXT, approvers: { role: 'manager' } }));
  }

  @tool({ description: 'Ask.', parameters: NONE })
  async askOwn(_args: object, context: ToolContext): Promise<void> {
    ran.push(await context.requestInput({ message: 'Why?', schema: TEXT }));
  }
}

const TEXT = { type: 'string' } as const;
const TOOLS: Readonly<Record<Rule, { readonly pay: string; readonly ask: string }>> = {
  manager: { pay: 'pay', ask: 'ask' },
  requester: { pay: 'pay_own', ask: 'ask_own' },
};

/** Pays. */
@agent({ description: 'Pays.', tools: [Desk] })
class Cashier extends LlmAgent {}

/** What comes of a try: the action takes effect, or nothing at all changes. */
type Verdict = 'done' | 'refused';

/** Which doors reach the session of another user: only there somebody else answers. */
const REACHES_OTHERS = new Set(['api']);
/** Doors on which a claim of other arguments, in a message, is refused. */
const MESSAGES = new Set(['runs', 'run', 'runSse']);

/** Says what comes of a cell, without the code under test. */
function verdictOf(door: string, principal: Principal | undefined, rule: Rule, action: Action): Verdict {
  if (principal === undefined) return 'refused';
  const { id, actsFor = principal.userId, userId = id, tenant } = principal;
  const roles = id === DELEGATE ? ['manager'] : (principal.roles ?? []);
  if (userId !== 'ada' && !REACHES_OTHERS.has(door)) return 'refused';
  const isRequester = id === 'ada' || actsFor === 'ada';
  // A waiting call is not cancelled with its run; a task of a peer is by a rejection.
  if (action === 'cancel' && door !== 'a2a') return 'refused';
  if (MESSAGES.has(door) && (action === 'up' || action === 'down')) return 'refused';
  if (rule === 'requester') return isRequester && tenant === 'acme' ? 'done' : 'refused';
  if (isRequester || tenant !== 'acme' || !roles.includes('manager')) return 'refused';
  // A claim in a message to remember is not heard.
  if (action === 'remember') return MESSAGES.has(door) ? 'done' : 'refused';
  return action === 'up' && !roles.includes('director') ? 'refused' : 'done';
}

const EFFECTS: Readonly<Record<Action, readonly unknown[]>> = {
  approve: [500],
  remember: [500],
  down: [50],
  up: [50_000],
  reject: [],
  supply: [INPUT],
  cancel: [],
};

function principalOf({ credential = '' }: Person): Principal | undefined {
  return PEOPLE[credential];
}

function sentOf({ credential, headers = {}, query = '', body = {} }: Person, user?: string): Sent {
  const own: Record<string, string> = credential === undefined ? {} : { 'x-credential': credential };
  const named = user === undefined ? [query] : [`user=${user}`, query];
  return { headers: { ...headers, ...own }, query: named.filter((one) => one !== '').join('&'), body };
}

describe('who may do what at the doors of a server', () => {
  let runner: Runner;
  let server: AdornServer;
  let studio: AdornServer;
  let count = 0;
  const cells: Record<string, number> = {};

  beforeAll(async () => {
    const model = new ScriptedModel();
    Object.defineProperty(model, 'live', { value: new ScriptedLive() });
    runner = await createRunner(Cashier, { appName: 'cashier', model, modules: [liveSessions] });
    const logger = { debug: silent, info: silent, warn: silent, error: silent };
    const authenticate = ({ headers }: Request) => PEOPLE[headers.get('x-credential') ?? ''];
    server = await serve(runner, {
      ...{ port: 0, page: false, authenticate, logger, recover: false },
      a2a: (served, place) => a2aHandler(served, { ...place, approve: () => true, recover: false }),
    });
    studio = await serve(runner, { port: 0, page: false, logger, recover: false });
  });

  afterAll(async () => {
    await server.close();
    await studio.close();
    await runner.close();
  });

  /** A request of ada, in a session of its own. */
  async function waiting(rule: Rule, action: Action, isPassedOn = false): Promise<PendingRequest> {
    const sessionId = `s${String(count++)}`;
    // As the run of a task of a peer is named.
    const encoded = (text: string) => Buffer.from(text).toString('base64url');
    const invocationId = `a2a.${encoded(sessionId)}.${encoded('m')}`;
    const named = TOOLS[rule];
    const call = action === 'supply' ? { tool: named.ask } : { tool: named.pay, args: { cents: 500 } };
    await runner.call({ ...call, userId: 'ada', sessionId, invocationId, by: ADA });
    const key = { userId: 'ada', sessionId };
    const [asked] = await runner.pending(key);
    if (!isPassedOn || rule !== 'manager') return asked as PendingRequest;
    await runner.delegate(asked as PendingRequest, { by: MIA, to: DELEGATE });
    const [request] = await runner.pending(key);
    return request as PendingRequest;
  }

  /** Tries an action, and looks at what has come of it. */
  async function played(door: Door, url: string, rule: Rule, action: Action, sent: Sent) {
    const request = await waiting(rule, action, sent.headers['x-credential'] === DELEGATE);
    ran.length = 0;
    const status = await door({ url, request, action, sent });
    if (status === undefined) return undefined;
    const { userId, sessionId } = request;
    const open = await runner.pending({ userId, sessionId });
    const isUntouched = JSON.stringify(open) === JSON.stringify([request]);
    const verdict = open.length === 0 ? 'done' : isUntouched ? 'refused' : 'changed';
    return { verdict, ran: [...ran], status };
  }

  // Before the cells of the matrix, which leave hundreds of requests open.
  /** The texts of the requests of an inbox, of all its pages, and the status of the last. */
  async function inboxOf(url: string, { headers, query }: Omit<Sent, 'body'>) {
    const texts: string[] = [];
    for (let after = ''; ;) {
      const response = await fetch(`${url}/adorn/apps/cashier/inbox?${query}${after}`, { headers });
      const { requests = [], next } = (await response.json()) as Partial<InboxPage>;
      texts.push(...requests.map((request) => JSON.stringify(request)));
      if (next === undefined) return { status: response.status, texts };
      after = `&after=${next}`;
    }
  }

  it.each(Object.keys(PERSONS))(
    'the inbox has for %s what this one may answer, and nothing else',
    async (who) => {
      const person = PERSONS[who] as Person;
      const principal = principalOf(person);
      const asked = {
        manager: await waiting('manager', 'approve', person.credential === DELEGATE),
        requester: await waiting('requester', 'approve'),
      };
      const sent = sentOf(person);

      const { status, texts } = await inboxOf(server.url, sent);

      expect(status).toBe(principal === undefined ? 401 : 200);
      const told = RULES.filter((rule) => texts.some((text) => text.includes(asked[rule].id)));
      const mayAnswer = RULES.filter((rule) => verdictOf('api', principal, rule, 'approve') === 'done');
      expect(told).toEqual(mayAnswer);
      if (mayAnswer.length === 0) expect(texts).toEqual([]);
      if (principal === undefined) return;
      // Nobody reads the inbox of another user by naming this one.
      const naming = (user: string) => inboxOf(server.url, { ...sent, query: `user=${user}&${sent.query}` });
      expect((await naming('someone')).status).toBe(404);
      expect((await naming(principal.userId ?? principal.id ?? '')).texts).toHaveLength(texts.length);
    },
  );

  it('the inbox has all requests for the holder of the token, and none for who has no token', async () => {
    const { id } = await waiting('manager', 'approve');
    const read = (token: string) =>
      inboxOf(studio.url, { headers: { authorization: `Bearer ${token}` }, query: 'limit=1000' });

    expect((await read(studio.token ?? '')).texts.filter((text) => text.includes(id))).toHaveLength(1);
    expect(await read('no')).toEqual({ status: 401, texts: [] });
  });

  it('the client of a manager approves what the inbox lists, and is told what is no query', async () => {
    const request = await waiting('manager', 'approve');
    const client = createAdornClient(server.url, { headers: { 'x-credential': 'mia' } });
    const seen: string[] = [];
    ran.length = 0;
    for (let after: string | undefined; ;) {
      const { requests, next } = await client.inbox({ tool: request.tool, limit: 100, after });
      seen.push(...requests.map(({ id }) => id));
      const mine = requests.find(({ id }) => id === request.id);
      if (mine) await client.sessionOf(mine).approve(mine);
      if (next === undefined) break;
      after = next;
    }

    expect([new Set(seen).size, seen.includes(request.id), ran]).toEqual([seen.length, true, [500]]);
    for (const query of [{ limit: 0 }, { olderThan: 'late' }, { after: 'x' }])
      await expect(client.inbox(query)).rejects.toMatchObject({ status: 400, code: 'REQUEST_INVALID' });
  });

  const names = Object.keys(DOORS).flatMap((door) =>
    Object.keys(PERSONS).map((person) => [door, person] as const),
  );

  it.each(names)('at %s: %s', async (name, who) => {
    const person = PERSONS[who] as Person;
    const principal = principalOf(person);
    const isOwner = (principal?.userId ?? principal?.id) === 'ada';
    const came: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const rule of RULES)
      for (const action of ACTIONS) {
        const door = DOORS[name] as Door;
        const sent = sentOf(person, isOwner && name !== 'api' ? undefined : 'ada');
        const one = await played(door, server.url, rule, action, sent);
        if (one === undefined) continue;
        const cell = `${rule}: ${action}`;
        const verdict = verdictOf(name, principal, rule, action);
        came[cell] = { verdict: one.verdict, ran: one.ran };
        expected[cell] = { verdict, ran: verdict === 'done' ? EFFECTS[action] : [] };
        if (principal === undefined && name !== 'socket') expect([cell, one.status]).toEqual([cell, 401]);
        // A live session ends with what its last call came to.
        else if (verdict === 'done' && name !== 'socket') expect([cell, one.status]).toEqual([cell, 200]);
        else if (verdict === 'refused' && action !== 'cancel')
          expect([cell, one.status >= 400]).toEqual([cell, true]);
        cells[name] = (cells[name] ?? 0) + 1;
      }
    expect(came).toEqual(expected);
  });

  it.each(['the holder of the token', 'another'])('at studio: %s', async (who) => {
    const holds = who === 'the holder of the token';
    const headers = holds
      ? { authorization: `Bearer ${studio.token ?? ''}` }
      : { authorization: 'Bearer no' };
    const sent = sentOf({ ...CLAIMS, headers: { ...CLAIMS.headers, ...headers } }, 'ada');
    for (const rule of RULES)
      for (const action of ACTIONS) {
        const one = await played(DOORS['api'] as Door, studio.url, rule, action, sent);
        // Whoever holds it is the user, who is the requester: of the same tenant by the id, and without roles.
        const verdict = holds && rule === 'requester' && action !== 'cancel' ? 'done' : 'refused';
        expect([rule, action, one?.verdict]).toEqual([rule, action, verdict]);
        cells['studio'] = (cells['studio'] ?? 0) + 1;
      }
  });

  it.each(Object.keys(PERSONS))('at mcp: %s', async (who) => {
    const person = PERSONS[who] as Person;
    const principal = principalOf(person);
    const logger = { debug: silent, info: silent, warn: silent, error: silent };
    const credentials = ({ headers }: { headers: object }) =>
      PEOPLE[(headers as Record<string, string>)['x-credential'] ?? ''];
    await using serving = await serveMcp(Desk, { http: { authenticate: credentials }, logger });
    for (const rule of RULES)
      for (const action of ACTIONS) {
        const call = await McpCall.wait(serving, rule, action);
        const one = await call.played(action, sentOf(person));
        if (one === undefined) continue;
        const verdict = verdictOf('a2a', principal, rule, action);
        const isRequester = rule === 'requester' && verdict === 'done';
        expect([rule, action, one]).toEqual([
          ...[rule, action],
          { isOpen: !isRequester, ran: isRequester ? EFFECTS[action] : [] },
        ]);
        cells['mcp'] = (cells['mcp'] ?? 0) + 1;
      }
  });

  it('has a row for each door, and no door without cells', () => {
    const rows = [...Object.keys(DOORS), 'studio', 'mcp'].sort();
    expect([...new Set(Object.values(DOORS_OF_FILES).flat())].sort()).toEqual(rows);
    expect(Object.keys(cells).sort()).toEqual(rows);
    expect(Object.values(cells).reduce((sum, one) => sum + one, 0)).toBeGreaterThan(1_300);
  });

  it('counts two managers, each once, at whatever doors they are', async () => {
    const sessionId = `s${String(count++)}`;
    await runner.call({ tool: 'pay_twice', args: { cents: 500 }, userId: 'ada', sessionId, by: ADA });
    const [request] = await runner.pending({ userId: 'ada', sessionId });
    const statuses: unknown[] = [];
    ran.length = 0;
    for (const [door, credential] of [
      ['run', 'sue'],
      ['useChat', 'sue'],
      ['api', 'sue'],
      ['run', 'ada'],
      ['api', 'gil'],
      ['api', 'eve'],
      ['api', 'dan'],
      ['api', 'mia'],
    ] as const) {
      const sent = sentOf({ credential }, door === 'api' ? 'ada' : undefined);
      const tried = { url: server.url, request: request as PendingRequest, action: 'approve' as const, sent };
      statuses.push([credential, await DOORS[door]?.(tried), ran.length]);
    }
    expect(statuses).toEqual([
      ['sue', 200, 0],
      ['sue', 403, 0],
      ['sue', 403, 0],
      ['ada', 403, 0],
      ['gil', 404, 0],
      ['eve', 404, 0],
      ['dan', 403, 0],
      ['mia', 200, 1],
    ]);
  });

  it.each<
    [Action, { readonly isOpen: boolean; readonly ran: readonly unknown[]; readonly isRefused: boolean }]
  >([
    ['approve', { isOpen: false, ran: [500], isRefused: false }],
    ['reject', { isOpen: false, ran: [], isRefused: false }],
    // The first manager has not seen the new amount.
    ['up', { isOpen: true, ran: [], isRefused: false }],
    ['down', { isOpen: true, ran: [], isRefused: false }],
    ['remember', { isOpen: true, ran: [], isRefused: true }],
    ['supply', { isOpen: true, ran: [], isRefused: true }],
    ['cancel', { isOpen: true, ran: [], isRefused: false }],
  ])('behind the approval of one manager, another one can %s', async (action, expected) => {
    const key = { userId: 'ada', sessionId: `s${String(count++)}` };
    await runner.call({ ...key, tool: 'pay_twice', args: { cents: 500 }, by: ADA });
    const [asked] = await runner.pending(key);
    if (asked) await runner.approve(asked, { by: { ...PEOPLE['max'], id: 'max', tenant: 'acme' } });
    const [request] = await runner.pending(key);
    ran.length = 0;

    const sent = sentOf({ credential: 'mia' }, 'ada');
    const status = await DOORS['api']?.({
      url: server.url,
      request: request as PendingRequest,
      action,
      sent,
    });

    const isOpen = (await runner.pending(key)).length === 1;
    expect({ isOpen, ran: [...ran] }).toEqual({ isOpen: expected.isOpen, ran: expected.ran });
    if (action !== 'cancel') expect((status ?? 0) >= 400).toBe(expected.isRefused);
  });
});

/** A call of ada over MCP that waits, without a session of the protocol: her client goes on by a signed state. */
class McpCall {
  private state: string | undefined;

  private constructor(
    private readonly serving: McpServing,
    private readonly call: { readonly name: string; readonly arguments: object },
    private readonly kind: 'confirmation' | 'input',
    /** How many requests were open before. */
    private readonly openBefore: number,
  ) {}

  static async wait(serving: McpServing, rule: Rule, action: Action): Promise<McpCall> {
    const isInput = action === 'supply';
    const { pay, ask } = TOOLS[rule];
    const call = isInput ? { name: ask, arguments: {} } : { name: pay, arguments: { cents: 500 } };
    const openBefore = await openRequestsOf(serving);
    const waiting = new McpCall(serving, call, isInput ? 'input' : 'confirmation', openBefore);
    const asked = await waiting.send(sentOf({ credential: 'ada' }), {});
    waiting.state = asked.result?.requestState;
    return waiting;
  }

  /** Goes on with the call of ada, as somebody. Undefined for an action that the protocol does not have. */
  async played(action: Action, sent: Sent) {
    if (action === 'up' || action === 'down' || action === 'remember') return undefined;
    ran.length = 0;
    const content = action === 'supply' ? { value: INPUT } : { approve: action === 'approve' };
    const answer = action === 'cancel' ? { action: 'cancel' } : { action: 'accept', content };
    // A request for others is not asked of the client: there is no state, and none can be made.
    const requestState = this.state ?? 'forged';
    await this.send(sent, { requestState, inputResponses: { [this.kind]: answer } });
    const isOpen = (await openRequestsOf(this.serving)) - this.openBefore === 1;
    return { isOpen, ran: [...ran] };
  }

  private async send({ headers, body }: Sent, more: object) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    };
    const params = { ...body, ...this.call, _meta, ...more };
    const response = await fetch(this.serving.url ?? '', {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': this.call.name },
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return (await response.json()) as { readonly result?: { readonly requestState?: string } };
  }
}

async function openRequestsOf(serving: McpServing): Promise<number> {
  const { runner } = serving['tools'] as { readonly runner: Runner };
  const sessions = await runner.sessions.listSessions({ appName: runner.appName, userId: 'ada' });
  const open = await Promise.all(sessions.map(({ id }) => runner.pending({ userId: 'ada', sessionId: id })));
  return open.flat().length;
}

function silent(): void {
  // Refusals are logged.
}
