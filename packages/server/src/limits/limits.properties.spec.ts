import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import {
  createRunner,
  defineAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import type { LiveModel } from '@adorn/core/backend';
import { liveSessions } from '@adorn/live';
import { ScriptedLive } from '@adorn/testing';
import { WebSocket } from 'ws';

import { type AdornServer, serve } from '../serve.js';
import type { ServerLimits } from '../server-options.js';
import { limitsOf } from './limits.js';

/** How many of a thing the user of a test may hold at once. */
const MOST = 2;
const BODY = 40_000;

/** Answers by the message: at once, never, with more than any connection takes unread, or by an error. */
class Talker extends Model {
  readonly name = 'talker';

  async *generate({ contents, signal }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const text = contents.at(-1)?.parts?.[0]?.text ?? '';
    if (text === 'fail') throw new Error('It failed.');
    if (text === 'wait') await setTimeout(60_000, undefined, { signal });
    for (let piece = 0; text === 'flood' && piece < 400 && !signal.aborted; piece++) {
      yield { content: { role: 'model', parts: [{ text: 'x'.repeat(60_000) }] }, partial: true };
      await setTimeout(0);
    }
    yield { content: { role: 'model', parts: [{ text: 'Done.' }] } };
  }
}

/** A live model to which no connection is ever open, until the attempts are given up. */
class Unreachable extends ScriptedLive {
  private readonly givenUp = new AbortController();

  giveUp(): void {
    this.givenUp.abort();
  }

  override connect(...[, { signal }]: Parameters<LiveModel['connect']>): ReturnType<ScriptedLive['connect']> {
    return new Promise((_resolve, reject) => {
      AbortSignal.any([signal, this.givenUp.signal]).addEventListener('abort', () => {
        reject(new Error('It was cancelled.'));
      });
    });
  }
}

/** A running server of one user, in which a few streams and bodies at once are too many. */
class Place implements AsyncDisposable {
  private count = 0;

  private constructor(
    readonly runner: Runner,
    readonly server: AdornServer,
  ) {}

  static async open(limits: ServerLimits, live: LiveModel = new ScriptedLive()): Promise<Place> {
    const model = new Talker();
    Object.defineProperty(model, 'live', { value: live });
    const Desk = defineAgent({ name: 'desk', description: 'Desk.', model });
    const runner = await createRunner(Desk, { modules: [liveSessions] });
    const authenticate = ({ headers }: Request): string | undefined => headers.get('x-user') ?? undefined;
    const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const options = { port: 0, page: false, authenticate, logger, reconnectGrace: 0 } as const;
    return new Place(runner, await serve(runner, { ...options, limits: { stalledMs: 300, ...limits } }));
  }

  get port(): number {
    return Number(new URL(this.server.url).port);
  }

  async session(): Promise<string> {
    const sessionId = `s${String(++this.count)}`;
    await this.runner.sessions.createSession({ appName: 'desk', userId: 'ada', sessionId });
    return sessionId;
  }

  send(path: string, { method = 'POST', body, signal }: SendOptions = {}): Promise<Response> {
    const init: RequestInit = { method, headers: { 'x-user': 'ada', 'content-type': 'application/json' } };
    if (body !== undefined) init.body = body;
    if (signal !== undefined) init.signal = signal;
    return fetch(this.server.url + path, init);
  }

  /** A connection that has sent a text, and whose client reads nothing unless it says so. */
  async raw(text: string): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    socket.on('error', ignore);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }

  socket(sessionId: string): WebSocket {
    const url = `${this.server.url.replace('http', 'ws')}/run_live?app_name=desk&session_id=${sessionId}`;
    const socket = new WebSocket(url, { headers: { 'x-user': 'ada' } });
    socket.on('error', ignore);
    return socket;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    await this.runner.close();
  }
}

interface SendOptions {
  readonly method?: string;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

type Way = (place: Place) => Promise<unknown>;

const runs = (sessionId: string): string => `/adorn/apps/desk/sessions/${sessionId}/runs`;
const say = (text: string): string => JSON.stringify({ message: text });
const HEAD = 'Host: 127.0.0.1\r\nx-user: ada\r\n';
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';

function rawPost(path: string, body: string, length = body.length): string {
  return `POST ${path} HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${String(length)}\r\n\r\n${body}`;
}

/** Requests of each kind of stream, for a session and a message. */
const STREAMS: Readonly<Record<string, (sessionId: string, text: string) => { path: string; body: string }>> =
  {
    'adorn runs': (sessionId, text) => ({ path: runs(sessionId), body: say(text) }),
    run_sse: (sessionId, text) => ({ path: '/run_sse', body: adkMessage(sessionId, text) }),
    run: (sessionId, text) => ({ path: '/run', body: adkMessage(sessionId, text) }),
    'ag-ui': (sessionId, text) => ({
      path: '/adorn/apps/desk/ag-ui',
      body: JSON.stringify({ threadId: sessionId, runId: 'r', messages: [{ role: 'user', content: text }] }),
    }),
    'ui-messages': (sessionId, text) => ({
      path: '/adorn/apps/desk/ui-messages',
      body: JSON.stringify({ id: sessionId, messages: [{ role: 'user', parts: [{ type: 'text', text }] }] }),
    }),
  };

function adkMessage(sessionId: string, text: string): string {
  return JSON.stringify({ sessionId, newMessage: { parts: [{ text }] }, streaming: true });
}

/** Every way in which a stream of a kind may be left. */
function waysOfStream(requestOf: (typeof STREAMS)[string]): Readonly<Record<string, Way>> {
  return {
    'it ends': async (place) => (await sent(place, requestOf, 'hello')).text(),
    'the model fails': async (place) => (await sent(place, requestOf, 'fail')).text(),
    'the client leaves at once': async (place) => {
      const { path, body } = requestOf(await place.session(), 'wait');
      (await place.raw(rawPost(path, body))).destroy();
    },
    'the client leaves while it waits': async (place) => {
      const { path, body } = requestOf(await place.session(), 'wait');
      const socket = await place.raw(rawPost(path, body));
      await Promise.race([once(socket.resume(), 'data'), setTimeout(200)]);
      socket.destroy();
    },
    'the session is deleted': async (place) => {
      const sessionId = await place.session();
      const { path, body } = requestOf(sessionId, 'flood');
      const socket = await place.raw(rawPost(path, body));
      socket.pause();
      await setTimeout(200);
      await place.send(`/adorn/apps/desk/sessions/${sessionId}`, { method: 'DELETE' });
      socket.destroy();
    },
    'the client reads nothing': async (place) => {
      const { path, body } = requestOf(await place.session(), 'flood');
      const socket = await place.raw(rawPost(path, body));
      socket.pause();
    },
    'it is refused': async (place) => {
      const { path } = requestOf(await place.session(), 'hello');
      await (await place.send(path, { body: '{"message":7,"newMessage":7,"threadId":7}' })).text();
      await (await place.send(path, { body: requestOf('no such session', 'hello').body })).text();
    },
  };
}

async function sent(place: Place, requestOf: (typeof STREAMS)[string], text: string): Promise<Response> {
  const { path, body } = requestOf(await place.session(), text);
  return place.send(path, { body });
}

const OTHER_WAYS: Readonly<Record<string, Way>> = {
  'HEAD of a run': async (place) => {
    const path = runs(await place.session());
    const first = await place.send(path, { body: say('hello') });
    await first.text();
    const run = `${path}/${first.headers.get('x-adorn-invocation') ?? ''}`;
    await place.send(run, { method: 'HEAD' });
  },
  'a run that does not exist': async (place) => {
    await (await place.send(`${runs(await place.session())}/none`, { method: 'GET' })).text();
  },
  'a run that is followed by readers that read nothing': async (place) => {
    const path = runs(await place.session());
    const leaving = new AbortController();
    const first = await place.send(path, { body: say('flood'), signal: leaving.signal });
    const run = `${path}/${first.headers.get('x-adorn-invocation') ?? ''}`;
    const socket = await place.raw(`GET ${run} HTTP/1.1\r\n${HEAD}\r\n`);
    socket.pause();
    await setTimeout(100);
    leaving.abort();
  },
  'a bad handshake': async (place) => {
    const sessionId = await place.session();
    const path = `/run_live?app_name=desk&session_id=${sessionId}`;
    for (const key of ['', 'Sec-WebSocket-Key: short\r\n']) {
      const socket = await place.raw(`GET ${path} HTTP/1.1\r\n${HEAD}${UPGRADE}${key}\r\n`);
      await once(socket.resume(), 'close');
    }
  },
  'a handshake that never ends': async (place) => {
    const socket = await place.raw(`GET /run_live?app_name=desk&session_id=s1 HTTP/1.1\r\n${HEAD}${UPGRADE}`);
    await setTimeout(20);
    socket.destroy();
  },
  'a client that leaves in the handshake': async (place) => {
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    const path = `/run_live?app_name=desk&session_id=${await place.session()}`;
    (await place.raw(`GET ${path} HTTP/1.1\r\n${HEAD}${UPGRADE}${key}\r\n`)).destroy();
  },
  'a conversation that its client closes': async (place) => {
    const socket = place.socket(await place.session());
    await once(socket, 'open');
    socket.close();
    await once(socket, 'close');
  },
  'a conversation whose client breaks off': async (place) => {
    const socket = place.socket(await place.session());
    await once(socket, 'open');
    socket.terminate();
  },
  'a conversation with a frame that cannot be read': async (place) => {
    const socket = place.socket(await place.session());
    await once(socket, 'open');
    socket.send('{');
    expect(await closeCode(socket)).toBe(1007);
  },
  'a conversation with a frame that is too large': async (place) => {
    const socket = place.socket(await place.session());
    await once(socket, 'open');
    socket.send(`{"close":"${'x'.repeat(BODY)}"}`);
    expect(await closeCode(socket)).toBe(1009);
  },
  'a conversation of no session': async (place) => {
    expect(await closeCode(place.socket('none'))).toBe(1002);
  },
};

async function closeCode(socket: WebSocket): Promise<unknown> {
  const [code] = (await once(socket, 'close')) as [unknown];
  return code;
}

/** Tries until a check passes: what has left is given back within a moment, or when it has stalled for long enough. */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++)
    try {
      await check();
      return;
    } catch (error) {
      if (tries === 60) throw error;
      await setTimeout(100);
    }
}

/** All places are free: as many streams as the limit begin at once, and one more is refused. */
async function allStreamsAreFree(place: Place): Promise<void> {
  const leaving = new AbortController();
  const paths = await Promise.all(Array.from({ length: MOST + 1 }, async () => runs(await place.session())));
  const statuses: number[] = [];
  try {
    const begin = async (path: string) =>
      statuses.push((await place.send(path, { body: say('wait'), signal: leaving.signal })).status);
    await Promise.all(paths.map(begin));
  } finally {
    leaving.abort();
  }
  expect(statuses.sort()).toEqual([...Array.from({ length: MOST }, () => 200), 429]);
}

/** A body as large as all bodies at once may be is read. */
async function allBytesAreFree(place: Place): Promise<void> {
  const body = JSON.stringify({ state: 7, padding: 'x'.repeat(BODY - 40) });
  const response = await place.send('/adorn/apps/desk/sessions', { body });
  expect([response.status, await response.json()]).toMatchObject([400, { field: 'state' }]);
}

/** Every way in which the body of a request may be left. */
const BODY_WAYS: Readonly<Record<string, Way>> = {
  'it is read': (place) => place.send('/adorn/apps/desk/sessions', { body: '{}' }),
  'it is no JSON': (place) => place.send('/adorn/apps/desk/sessions', { body: '{"a":' }),
  'it is too large': (place) =>
    place.send('/adorn/apps/desk/sessions', { body: `"${'x'.repeat(2 * BODY)}"` }),
  'it has too many values': (place) =>
    place.send('/adorn/apps/desk/sessions', { body: `[${'0,'.repeat(BODY / 4)}0]` }),
  'its client leaves': async (place) => {
    const text = rawPost('/adorn/apps/desk/sessions', `"${'x'.repeat(BODY / 2)}`, BODY - 1);
    const socket = await place.raw(text);
    await setTimeout(50);
    socket.destroy();
  },
};

const SPEECH = 100_000;

/** A frame of nearly all the bytes that may wait. */
const SPEECH_FRAME = JSON.stringify({
  blob: { mimeType: 'audio/pcm', data: Buffer.alloc(SPEECH * 0.66).toString('base64') },
});

async function saidInConversation(place: Place, frame: string): Promise<WebSocket> {
  const socket = place.socket(await place.session());
  await once(socket, 'open');
  socket.send(frame);
  // The answer shows that the frame has been taken.
  socket.ping();
  await Promise.race([once(socket, 'pong'), once(socket, 'close')]);
  return socket;
}

/** Every way in which a conversation may be left whose speech waits for its model. */
const SPEECH_WAYS: Readonly<Record<string, Way>> = {
  'the client closes it': async (place) => {
    const socket = await saidInConversation(place, SPEECH_FRAME);
    socket.send('{"close":true}');
    await once(socket, 'close');
  },
  'the client breaks off': async (place) => {
    (await saidInConversation(place, SPEECH_FRAME)).terminate();
  },
  'it says too much': async (place) => {
    const socket = await saidInConversation(place, SPEECH_FRAME);
    socket.send(SPEECH_FRAME);
    if (socket.readyState !== WebSocket.CLOSED) expect(await closeCode(socket)).toBe(1009);
  },
  'a frame cannot be read': async (place) => {
    const socket = await saidInConversation(place, SPEECH_FRAME);
    socket.send('{');
    await once(socket, 'close');
  },
  'it writes instead of speaking': async (place) => {
    const content = { parts: [{ text: 'x'.repeat(SPEECH * 0.66) }] };
    (await saidInConversation(place, JSON.stringify({ content }))).terminate();
  },
};

/** A conversation may have all the bytes of speech wait, and no more. */
async function allSpeechIsFree(place: Place): Promise<void> {
  const socket = await saidInConversation(place, SPEECH_FRAME);
  try {
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.send(SPEECH_FRAME);
    expect(await closeCode(socket)).toBe(1009);
  } finally {
    socket.terminate();
  }
}

/** The ways for each of the limits of speech. */
const SPEECH_WAYS_OF_LIMITS = Object.fromEntries(
  (['speechBytes', 'serverSpeechBytes'] as const).flatMap((limit) =>
    Object.entries(SPEECH_WAYS).map(([name, way]) => [
      `${limit}: ${name}`,
      () => givesSpeechBack(limit, way),
    ]),
  ),
);

async function givesSpeechBack(limit: keyof ServerLimits, way: Way): Promise<void> {
  const live = new Unreachable();
  await using place = await Place.open({ [limit]: SPEECH }, live);
  await way(place);
  await eventually(() => allSpeechIsFree(place));
  live.giveUp();
}

async function givesStreamsBack(way: Way): Promise<void> {
  await using place = await Place.open({ streams: MOST, bodyBytes: BODY });
  for (let time = 0; time <= MOST; time++) await way(place);
  await eventually(() => allStreamsAreFree(place));
}

/** A test for each way. All of them run at the same time, because they mostly wait. */
function eachAtOnce<One>(
  title: string,
  ways: Readonly<Record<string, One>>,
  check: (way: One) => Promise<void>,
): void {
  describe(title, () => {
    const outcomes = new Map<string, Promise<void>>();
    beforeAll(() => {
      for (const [name, way] of Object.entries(ways)) {
        const outcome = check(way);
        outcome.catch(ignore);
        outcomes.set(name, outcome);
      }
    });

    it.each(Object.keys(ways))('%s', (name) => outcomes.get(name));
  });
}

/** The rows of the matrix: each limit, and what is held of it. */
const ROWS: Readonly<Record<keyof ServerLimits, 'streams' | 'bodies' | 'speech' | 'nothing at once'>> = {
  bodyBytes: 'nothing at once',
  bodyValues: 'nothing at once',
  userBodyBytes: 'bodies',
  serverBodyBytes: 'bodies',
  streams: 'streams',
  serverStreams: 'streams',
  speechBytes: 'speech',
  serverSpeechBytes: 'speech',
  sessions: 'nothing at once',
  stalledMs: 'nothing at once',
};

describe('what is counted', () => {
  it('has a row here for every limit', () => {
    expect(Object.keys(limitsOf()).sort()).toEqual(Object.keys(ROWS).sort());
  });

  for (const [stream, requestOf] of Object.entries(STREAMS))
    eachAtOnce(`gives all streams back: ${stream}`, waysOfStream(requestOf), givesStreamsBack);

  eachAtOnce('gives all streams back', OTHER_WAYS, givesStreamsBack);

  eachAtOnce('gives all bytes of bodies back', BODY_WAYS, async (way) => {
    const most = { bodyBytes: BODY, userBodyBytes: BODY, bodyValues: 5_000 };
    await using place = await Place.open(most);
    for (let time = 0; time <= MOST; time++) await way(place);
    await eventually(() => allBytesAreFree(place));
  });

  eachAtOnce('gives all bytes of speech back', SPEECH_WAYS_OF_LIMITS, (way) => way());

  it('refuses bodies that are read at once beyond the limit', async () => {
    await using place = await Place.open({ bodyBytes: BODY, userBodyBytes: BODY });
    const half = `"${'x'.repeat(BODY / 2)}`;
    const socket = await place.raw(rawPost('/adorn/apps/desk/sessions', half, BODY - 1));
    const body = `"${'x'.repeat((BODY * 3) / 4)}"`;
    await eventually(async () => {
      const response = await place.send('/adorn/apps/desk/sessions', { body });
      expect([response.status, await response.json()]).toMatchObject([429, { code: 'LIMIT_REACHED' }]);
    });
    socket.destroy();
  });

  it.each<[keyof ServerLimits, number]>([
    ['streams', 429],
    ['serverStreams', 503],
  ])('refuses streams beyond %s with %d', async (limit, status) => {
    await using place = await Place.open({ [limit]: 1 });
    const leaving = new AbortController();
    await place.send(runs(await place.session()), { body: say('wait'), signal: leaving.signal });
    const refused = await place.send(runs(await place.session()), { body: say('hello') });
    expect([refused.status, await refused.json()]).toMatchObject([status, { code: 'LIMIT_REACHED' }]);
    const socket = place.socket(await place.session());
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(answer.statusCode).toBe(status);
    leaving.abort();
  });
});

describe('a client that reads nothing', () => {
  eachAtOnce(
    'does not delay the delete of its session, nor the close of the server',
    STREAMS,
    async (requestOf) => {
      await using place = await Place.open({ stalledMs: 60_000 });
      const sessionId = await place.session();
      const requests = [requestOf(sessionId, 'flood'), requestOf(await place.session(), 'flood')];
      const sockets = await Promise.all(requests.map(({ path, body }) => place.raw(rawPost(path, body))));
      for (const socket of sockets) socket.pause();
      await setTimeout(500);
      const before = performance.now();
      const deleted = await place.send(`/adorn/apps/desk/sessions/${sessionId}`, { method: 'DELETE' });
      await place.server.close();
      expect([deleted.status, performance.now() - before < 10_000]).toEqual([204, true]);
      for (const socket of sockets) socket.destroy();
    },
  );

  it('does not delay the close of the server in a conversation, or in the handshake of one', async () => {
    await using place = await Place.open({ stalledMs: 60_000 });
    const path = `/run_live?app_name=desk&session_id=${await place.session()}`;
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    const open = await place.raw(`GET ${path} HTTP/1.1\r\n${HEAD}${UPGRADE}${key}\r\n`);
    const half = await place.raw(`GET ${path} HTTP/1.1\r\n${HEAD}${UPGRADE}`);
    for (const socket of [open, half]) socket.pause();
    await setTimeout(300);
    const before = performance.now();
    await place.server.close();
    expect(performance.now() - before).toBeLessThan(10_000);
    for (const socket of [open, half]) socket.destroy();
  });
});

function ignore(): void {
  // Nothing of it is read.
}
