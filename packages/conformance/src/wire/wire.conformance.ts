import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type AdornServer, serve } from '@adorn/server';

import { type Check, type Section, timed } from '../check.js';
import { findDifference } from '../find-difference.js';
import type { Suite } from '../suite.js';
import { openDemo } from './demo-agent.js';

const FOLDER = 'adk-wire-golden';

/** A recorded exchange with Google's server in TypeScript. */
interface Exchange {
  readonly label: string;
  readonly request: { readonly method: string; readonly path: string; readonly body?: Json };
  readonly response: {
    readonly status: number;
    readonly json?: unknown;
    readonly text?: string;
    readonly sse?: Json[];
  };
}

/** A recorded request of the page. */
interface PageRequest {
  readonly m: string;
  readonly u: string;
  readonly s?: number;
  readonly post?: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Recorded exchanges with Google's server, and every request that its page made, played to Adorn's server. */
export const wireConformance: Suite = {
  name: 'wire',
  summary: "recorded exchanges of adk-web and Google's server, but for what is wrong there",
  takes: 'some seconds',
  folder: FOLDER,
  async *run(fixtures: string): AsyncGenerator<Section> {
    const folder = join(fixtures, FOLDER);
    yield await timed('exchanges', async () => {
      await using replay = await Replay.open();
      return [
        {
          name: 'equal to the recorded ones',
          checks: await replay.exchanges(read(folder, 'adk-js-2.0.0-basic.json') as Exchange[]),
        },
      ];
    });
    for (const file of [
      'adk-web-2.0.0-requests-turns.json',
      'adk-web-2.0.0-requests-confirm-reload-live.json',
    ])
      yield await timed(file.replace('adk-web-2.0.0-requests-', 'page: ').replace('.json', ''), async () => {
        await using replay = await Replay.open();
        return [
          { name: 'answered as recorded', checks: await replay.page(read(folder, file) as PageRequest[]) },
        ];
      });
  },
};

function read(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

class Replay implements AsyncDisposable {
  /** Our ids by those of the recordings. */
  private readonly ids = new Map<string, string>();

  private constructor(
    private readonly server: AdornServer,
    private readonly runner: Awaited<ReturnType<typeof openDemo>>,
  ) {}

  static async open(): Promise<Replay> {
    const runner = await openDemo();
    return new Replay(await serve(runner, { port: 0 }), runner);
  }

  /** The sessions of the recording were made before it. */
  async exchanges(recorded: readonly Exchange[]): Promise<Check[]> {
    const states: Record<string, Json> = {
      gold1: { a: 1, 'user:b': 2, 'app:c': 3 },
      g0n: {},
      g0s: {},
      g1n: {},
      g1s: {},
    };
    const checks: Check[] = [];
    const first = recorded.filter(({ label }) => label !== 'get');
    for (const exchange of first) {
      const { sessionId } = (exchange.request.body ?? {}) as { sessionId?: string };
      const made = sessionId ?? /sessions\/(g\w+)$/.exec(exchange.request.path)?.[1];
      if (made !== undefined) await this.ensure(made, states[made] ?? {});
      // The recording of the turn itself is left out of the file for one session.
      if (exchange.label.startsWith('session-after') && made === 'g1s') await this.turn(made);
      checks.push({ what: exchange.label, fault: await this.compare(exchange) });
    }
    for (const exchange of recorded.filter(({ label }) => label === 'get')) {
      await this.ensure('gold1', states['gold1'] ?? {});
      checks.push({ what: exchange.label, fault: await this.compare(exchange) });
    }
    return checks;
  }

  async page(recorded: readonly PageRequest[]): Promise<Check[]> {
    const checks: Check[] = [];
    for (const { m: method, u, s: status, post } of recorded) {
      if (status === undefined) continue;
      const response = await this.send(
        method,
        this.translated(u),
        post === undefined ? undefined : this.translated(post),
      );
      const text = await response.text();
      this.learn(u, text, recorded);
      const fault =
        response.status === status
          ? undefined
          : `expected ${String(status)}, got ${String(response.status)}: ${text.slice(0, 200)}`;
      checks.push({ what: `${method} ${u.slice(0, 80)}`, fault });
    }
    return checks;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    await this.runner.close();
  }

  private async ensure(sessionId: string, state: Json): Promise<void> {
    const key = { appName: 'demo', userId: 'u', sessionId };
    if (!(await this.runner.sessions.getSession(key))) await this.runner.sessions.createSession(key, state);
  }

  private async turn(sessionId: string): Promise<void> {
    await this.runner.run({ userId: 'u', sessionId, message: 'weather' });
  }

  private async compare({ request, response }: Exchange): Promise<string | undefined> {
    const body = !request.body || request.method === 'GET' ? undefined : JSON.stringify(request.body);
    const answer = await this.send(request.method, request.path, body);
    if (answer.status !== response.status)
      return `expected ${String(response.status)}, got ${String(answer.status)}`;
    const text = await answer.text();
    if (response.text !== undefined) return text === response.text ? undefined : `got ${text}`;
    if (response.sse) {
      const events = text
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => JSON.parse(line.slice(6)) as Json);
      return findDifference(response.sse.map(comparable), events.map(comparable));
    }
    return findDifference(
      comparable(expectedJson(response.json)),
      comparable(withoutAdded(JSON.parse(text), response.json)),
    );
  }

  private send(method: string, path: string, body?: string): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.server.token ?? ''}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    return fetch(
      `${this.server.url}${path}`,
      body === undefined ? { method, headers } : { method, headers, body },
    );
  }

  private translated(text: string): string {
    let translated = text;
    for (const [theirs, ours] of this.ids) translated = translated.replaceAll(theirs, ours);
    return translated;
  }

  /** Learns our ids of the session and of the call that waits, which the next requests of the page name. */
  private learn(u: string, text: string, recorded: readonly PageRequest[]): void {
    const all = recorded.map(({ u: url, post }) => `${url} ${post ?? ''}`).join(' ');
    const theirSession = /sessions?\/([0-9a-f-]{36})/.exec(all)?.[1];
    if (u.endsWith('/sessions') && theirSession !== undefined)
      this.ids.set(theirSession, (JSON.parse(text) as { id: string }).id);
    const theirCall = /"functionResponse":\{"id":"(adk-[0-9a-f-]+)","name":"adk_request_confirmation"/.exec(
      all,
    )?.[1];
    const ourCall =
      /"functionCall":\{[^{}]*?"id":"([^"]+)"[^{}]*?"name":"adk_request_confirmation"/.exec(text)?.[1] ??
      /"longRunningToolIds":\["([^"]+)"\]/.exec(text)?.[1];
    if (theirCall !== undefined && ourCall !== undefined && !this.ids.has(theirCall))
      this.ids.set(theirCall, ourCall);
    const theirEvent = /"functionCallEventId":"([^"]+)"/.exec(all)?.[1];
    const ourEvent = text.split('\n').flatMap((line) => {
      if (!line.startsWith('data: ')) return [];
      const { id, longRunningToolIds = [] } = JSON.parse(line.slice(6)) as {
        id?: string;
        longRunningToolIds?: string[];
      };
      return longRunningToolIds.length > 0 && id !== undefined ? [id] : [];
    })[0];
    if (theirEvent !== undefined && ourEvent !== undefined && !this.ids.has(theirEvent))
      this.ids.set(theirEvent, ourEvent);
  }
}

/** Google's server wraps the list of sessions, which its own page cannot read. */
function expectedJson(json: unknown): unknown {
  const { sessions } = (json ?? {}) as { sessions?: unknown[] };
  return sessions ? [] : json;
}

/** Errors have the text for other clients and a code besides; a version has a language. */
function withoutAdded(json: unknown, recorded: unknown): unknown {
  if (Array.isArray(json)) return (recorded as { sessions?: unknown }).sessions === undefined ? json : [];
  const { detail: _detail, code: _code, language: _language, version, ...rest } = json as Json;
  return version === undefined ? rest : { version: (recorded as Json)['version'], ...rest };
}

/** Ids, times and counts differ from run to run. Google's server writes times in milliseconds. */
const DROPPED = new Set(['id', 'invocationId', 'timestamp', 'lastUpdateTime', 'usageMetadata', 'nodeInfo']);

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !DROPPED.has(key))
      .map(([key, inner]) => [key, comparable(inner)]),
  );
}
