import { ContainerModule, Model } from '@adorn/core';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { Desk } from './desk.fixture.js';
import { type A2aServing, serveA2a } from './serve-a2a.js';

const open: A2aServing[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

interface TaskJson {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly timestamp: string };
  readonly artifacts?: readonly unknown[];
  readonly history?: readonly unknown[];
}

interface Page {
  readonly tasks: readonly TaskJson[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

describe('the list of tasks', () => {
  it('has the tasks of a principal over all conversations, by state, time and page', async () => {
    const rest = await serve(says('One.'), callsTool('ask_size', {}), says('Three.'), says('Four.'));
    const first = await rest.send('m1');
    const paused = await rest.send('m2');
    const third = await rest.send('m3', { contextId: first.contextId });
    const foreign = await rest.send('m4', {}, 'eve');
    const list = async (query = '', user = 'ada') => (await rest.get(`tasks${query}`, user)).body as Page;
    const ids = ({ tasks }: Page) => tasks.map(({ id }) => id).sort();

    const all = await list();
    expect(ids(all)).toEqual([first.id, paused.id, third.id].sort());
    expect(all).toMatchObject({ nextPageToken: '', pageSize: 50, totalSize: 3 });
    expect(all.tasks.flatMap(({ artifacts = [], history = [] }) => [...artifacts, ...history])).toEqual([]);
    expect(ids(await list('', 'eve'))).toEqual([foreign.id]);
    expect(ids(await list('', 'nobody'))).toEqual([]);

    const inContext = await list(`?contextId=${first.contextId}&includeArtifacts=true&historyLength=1`);
    expect(inContext.tasks.map(({ id }) => id)).toEqual([third.id, first.id]);
    expect(inContext.tasks.map(({ artifacts, history }) => [artifacts?.length, history?.length])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(ids(await list('?status=TASK_STATE_INPUT_REQUIRED'))).toEqual([paused.id]);
    expect(ids(await list(`?contextId=${foreign.contextId}`))).toEqual([]);

    const { timestamp } = third.status;
    const after = await list(`?contextId=${first.contextId}&statusTimestampAfter=${first.status.timestamp}`);
    expect(ids(after)).toEqual(first.status.timestamp < timestamp ? [third.id] : []);

    const page = await list('?pageSize=2');
    const rest2 = await list(`?pageSize=2&pageToken=${page.nextPageToken}`);
    expect(
      [page, rest2].map(({ tasks, nextPageToken, totalSize }) => [tasks.length, nextPageToken, totalSize]),
    ).toEqual([
      [2, '2', 3],
      [1, '', 3],
    ]);
    expect(ids({ ...page, tasks: [...page.tasks, ...rest2.tasks] })).toEqual(ids(all));
    expect((await list('?pageSize=3')).nextPageToken).toBe('');
  });

  it.each(['pageToken=x', 'pageToken=-1', 'pageSize=-1', 'pageSize=1.5', 'historyLength=x'])(
    'is not asked with %s',
    async (query) => {
      const rest = await serve();

      expect((await rest.get(`tasks?${query}`)).status).toBe(400);
    },
  );
});

describe.each(['1.0', '0.3'])('the endpoint of HTTP+JSON %s', (version) => {
  it('keeps the webhooks of a task', async () => {
    const rest = await serve(says('Hello.'));
    const { id } = await rest.send('m1');
    const webhook = { id: 'w1', url: 'https://hooks.example.com/a', token: 't' };
    const path = `tasks/${id}/pushNotificationConfigs`;
    const given = version === '1.0' ? webhook : { config: { pushNotificationConfig: webhook } };
    const shown = (value: unknown): string => JSON.stringify(value);

    const created = await rest.ask('POST', path, given, version);
    const one = await rest.ask('GET', `${path}/w1`, undefined, version);
    const all = await rest.ask('GET', path, undefined, version);
    const foreign = await rest.ask('GET', path, undefined, version, 'eve');
    const deleted = await rest.ask('DELETE', `${path}/w1`, undefined, version);
    const gone = await rest.ask('GET', `${path}/w1`, undefined, version);

    expect([created, one, all, foreign, deleted, gone].map(({ status }) => status)).toEqual([
      201, 200, 200, 404, 204, 404,
    ]);
    for (const { body } of [created, one, all]) expect(shown(body)).toContain(webhook.url);
    expect(shown((await rest.ask('GET', path, undefined, version)).body)).not.toContain(webhook.url);
    expect((await rest.ask('PUT', path, given, version)).status).toBe(404);
    expect((await rest.ask('DELETE', path, undefined, version)).status).toBe(404);
  });

  it('has no stream of a task that has ended, and none of one that does not exist', async () => {
    const rest = await serve(says('Hello.'));
    const { id } = await rest.send('m1');

    for (const method of ['GET', 'POST']) {
      const ended = await rest.ask(method, `tasks/${id}:subscribe`, undefined, version);
      expect([ended.status, JSON.stringify(ended.body)]).toEqual([400, expect.stringContaining('has ended')]);
      expect((await rest.ask(method, 'tasks/none:subscribe', undefined, version)).status).toBe(404);
    }
    expect((await rest.ask('POST', `tasks/${id}:cancel`, undefined, version)).status).not.toBe(200);
    expect((await rest.ask('POST', `tasks/${id}:nothing`, undefined, version)).status).toBe(404);
    expect((await rest.ask('GET', `tasks/${id}/nothing`, undefined, version)).status).toBe(404);
  });

  it('reads a task with as much of its history as is asked for', async () => {
    const rest = await serve(says('Hello.'));
    const { id } = await rest.send('m1');
    const history = async (query: string) => {
      const { body } = await rest.ask('GET', `tasks/${id}${query}`, undefined, version);
      return (body as Partial<TaskJson>).history?.length ?? 0;
    };

    expect([await history(''), await history('?historyLength=0'), await history('?historyLength=1')]).toEqual(
      [1, 0, 1],
    );
    if (version === '0.3') expect(await history('?history_length=0')).toBe(0);
  });

  it.each([
    ['{', 'The body is no JSON.'],
    ['[]', 'The body is no JSON object.'],
    ['null', 'The body is no JSON object.'],
    ['', 'message'],
  ])('refuses the body %j', async (body, fault) => {
    const rest = await serve();
    const { status, text } = await rest.raw('POST', 'message:send', body, version);

    expect([status, text]).toEqual([400, expect.stringContaining(fault)]);
  });
});

async function serve(...steps: ScriptedStep[]) {
  const model = new ScriptedModel(...steps);
  const services = new ContainerModule(({ bind }) => {
    bind(Model).toConstantValue(model);
  });
  const authenticate = ({ headers }: Request) => headers.get('authorization')?.replace('Bearer ', '');
  const serving = await serveA2a(Desk, { runner: { modules: [services] }, authenticate });
  open.push(serving);

  const raw = async (
    method: string,
    path: string,
    body: string | undefined,
    version = '1.0',
    user = 'ada',
  ) => {
    const place = `${serving.url}/rest/${version === '0.3' ? 'v1/' : ''}${path}`;
    const headers: Record<string, string> = { authorization: `Bearer ${user}` };
    if (version === '1.0') headers['a2a-version'] = version;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(place, { method, headers, body: body ?? null });
    return { status: response.status, text: await response.text() };
  };
  const ask = async (method: string, path: string, json?: object, version?: string, user?: string) => {
    const needsBody = method === 'POST' || json !== undefined;
    const { status, text } = await raw(
      method,
      path,
      needsBody ? JSON.stringify(json ?? {}) : undefined,
      version,
      user,
    );
    return { status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
  };
  const get = (path: string, user = 'ada') => ask('GET', path, undefined, '1.0', user);
  const send = async (messageId: string, more: object = {}, user = 'ada'): Promise<TaskJson> => {
    const message = { messageId, role: 'ROLE_USER', parts: [{ text: 'Hi' }], ...more };
    const { body } = await ask('POST', 'message:send', { message }, '1.0', user);
    return (body as { readonly task: TaskJson }).task;
  };
  return { raw, ask, get, send };
}
