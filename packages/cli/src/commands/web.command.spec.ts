/** @slow */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { json, text } from 'node:stream/consumers';

import { createAdornClient } from '@adorn/server/client';
import { freePort } from '@adorn/testing/servers';

/** Programs are started here, on a machine that may have other work. */
const SLOW = 60_000;

const FREE = ['--bind', '127.0.0.1:0'];

/** An agent with a model of its own, which repeats `answer`. */
function agentFile(name: string, answer: string): string {
  return `
import { createRunner, defineAgent } from 'adorn';
import { says, ScriptedModel } from '@adorn/testing';
const model = new ScriptedModel(...Array(9).fill(says('${answer}')));
export const runner = createRunner(defineAgent({ name: '${name}', instruction: '' }), { model });
`;
}

/** An agent that has the model which the command chooses. */
const AGENT_FILE = `
import { defineAgent } from 'adorn';
export default defineAgent({ name: 'desk', description: 'Desk.', model: 'gemini-2.5-flash' });
`;

interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
}

/** What a request to a collector holds, as the protocol has it. */
interface TraceRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

/** A receiver of OTLP over HTTP. */
class Collector implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  private readonly seen = new Set<string>();
  private readonly server = createServer((request, response) => {
    this.seen.add(request.url ?? '');
    void json(request).then((body) => {
      for (const { scopeSpans } of (body as TraceRequest).resourceSpans)
        for (const { spans } of scopeSpans) this.spans.push(...spans);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });

  static async open(): Promise<Collector> {
    const collector = new Collector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** The paths that were requested. */
  get paths(): string[] {
    return [...this.seen];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

describe('adorn web', () => {
  let folder: string;
  let started: ChildProcess[];
  beforeEach(async () => {
    started = [];
    await mkdir('packages/cli/build', { recursive: true });
    // Inside of this package, from where the packages of Adorn are found.
    folder = await mkdtemp(resolve('packages/cli/build/web-'));
    await write('package.json', '{"type":"module"}');
  });
  afterEach(async () => {
    for (const child of started.filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true });
  });

  async function write(name: string, content: string): Promise<void> {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }

  function start(...args: string[]) {
    const child = spawn(process.execPath, [resolve('packages/cli/bin/adorn.js'), 'web', ...args], {
      cwd: folder,
      // A collector that is not there is asked again for ten seconds by default.
      env: { ...process.env, NODE_ENV: '', OTEL_EXPORTER_OTLP_TIMEOUT: '1000' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    return child;
  }

  /** The command, and where it says that it serves. */
  async function serving(...args: string[]) {
    const child = start(...args);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const errors = text(child.stderr);
    return { child, errors, next: async () => addressIn(await lineOf(lines, /^Serving /, errors)) };
  }

  async function failing(...args: string[]): Promise<string> {
    const child = start(...args);
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(code).toBe(/could not be loaded|is taken/.test(errors) ? 1 : 2);
    return errors.replaceAll(folder, '<folder>');
  }

  it(
    'serves every agent of a folder to the holder of the printed token, and ends by the signal that it is sent',
    async () => {
      await write('agents/sales.agent.js', agentFile('sales', 'Sold.'));
      await write('agents/support.agent.js', agentFile('support', 'Helped.'));
      await write('agents/prices.js', 'throw new Error("not an agent");');
      const { child, next } = await serving('agents', ...FREE);
      const { names, url, token } = await next();

      expect(names).toBe('sales, support');
      expect(await listApps(url, token)).toEqual(['sales', 'support']);
      expect((await fetch(`${url}/list-apps`)).status).toBe(401);
      expect(await answerOf(url, token, 'sales')).toBe('Sold.');
      expect(await answerOf(url, token, 'support')).toBe('Helped.');

      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
    },
    SLOW,
  );

  it(
    'with --a2a serves the agents to peers, too',
    async () => {
      await write('sales.agent.js', agentFile('sales', 'Sold.'));
      const { next } = await serving('--a2a', ...FREE);
      const { url } = await next();

      const card = await fetch(`${url}/a2a/sales/.well-known/agent-card.json`);
      expect(await card.json()).toMatchObject({ name: 'sales', url: `${url}/a2a/sales` });
    },
    SLOW,
  );

  it(
    'with --otlp sends a trace of each run to a collector, and the last ones when it ends',
    async () => {
      await using collector = await Collector.open();
      await write('desk.agent.js', AGENT_FILE);
      const { child, next } = await serving('--model', 'offline', '--otlp', collector.url, ...FREE);
      const { url, token } = await next();
      await answerOf(url, token, 'desk');
      child.kill('SIGTERM');
      await once(child, 'exit');

      expect(collector.paths).toEqual(['/v1/traces']);
      expect(collector.spans.map(({ name }) => name).sort()).toEqual([
        ...['chat offline', 'invoke_agent desk', 'invoke_agent desk'],
      ]);
      expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    },
    SLOW,
  );

  it(
    'serves as ever if the collector does not answer, and refuses an address that is none',
    async () => {
      await write('desk.agent.js', AGENT_FILE);
      const gone = `http://127.0.0.1:${String(await freePort())}`;
      const { child, errors, next } = await serving('--model', 'offline', '--otlp', gone, ...FREE);
      const { url, token } = await next();
      expect(await answerOf(url, token, 'desk')).not.toBe('');
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
      expect(await errors).toContain(`The last spans did not reach ${gone}/v1/traces`);

      expect(await failing('--otlp', 'localhost')).toMatch(
        /^error: --otlp is "localhost"\. Pass the address/,
      );
    },
    SLOW,
  );

  it(
    'serves several agents that are TypeScript',
    async () => {
      await write('src/sales.agent.ts', `type Name = string;\n${agentFile('sales', 'Sold.')}`);
      await write('src/support.agent.ts', `type Name = string;\n${agentFile('support', 'Helped.')}`);
      const { next } = await serving(...FREE);
      const { url, token } = await next();

      expect(await answerOf(url, token, 'support')).toBe('Helped.');
    },
    SLOW,
  );

  it(
    'serves the agents of the subfolders of a folder that has none itself',
    async () => {
      await write('sales/agent.js', agentFile('sales', 'Sold.'));
      await write('support/src/support.agent.js', agentFile('support', 'Helped.'));
      await write('scripts/main.js', 'throw new Error("not an agent");');
      await write('node_modules/other/agent.js', 'throw new Error("not an agent");');
      const { next } = await serving(...FREE);

      expect((await next()).names).toBe('sales, support');
    },
    SLOW,
  );

  it(
    'with --watch serves a changed agent at the same address with the same token, also after a file that was broken',
    async () => {
      await write('desk.agent.js', agentFile('desk', 'Before.'));
      const address = ['--bind', `127.0.0.1:${String(await freePort())}`];
      const { child, next } = await serving('.', ...address, '--watch');
      const before = await next();
      expect(await answerOf(before.url, before.token, 'desk')).toBe('Before.');

      await write('desk.agent.js', 'export const = ;');
      await gone(before.url);
      await write('desk.agent.js', agentFile('desk', 'After.'));

      expect(await next()).toEqual(before);
      expect(await answerOf(before.url, before.token, 'desk')).toBe('After.');
      child.kill('SIGTERM');
      await once(child, 'exit');
      await gone(before.url);
    },
    SLOW,
  );

  it(
    'says what is wrong with the files, and what to do',
    async () => {
      await write('empty/notes.txt', '');
      await write('throws.js', '\nthrow new TypeError("no database");');
      await write('imports.js', 'import "./gone.js";');
      await write('nothing.js', 'export const answer = 42;');
      await write('twins/a.agent.js', agentFile('desk', ''));
      await write('twins/b.agent.js', agentFile('desk', ''));

      expect(await failing('empty')).toMatch(
        /^error: The folder empty holds no \*\.agent\.js .*Its subfolders/,
      );
      expect(await failing('throws.js')).toBe(
        'error: throws.js could not be loaded: TypeError: no database (throws.js:2). Correct this file, or the one that it imports.\n',
      );
      expect(await failing('imports.js')).toMatch(
        /^error: imports\.js could not be loaded: .*'<folder>\/gone\.js' imported from <folder>\/imports\.js/,
      );
      expect(await failing('nothing.js')).toMatch(
        /^error: nothing\.js exports no agent .* but answer\. Export/,
      );
      expect(await failing('twins')).toBe(
        'error: twins/a.agent.js and twins/b.agent.js both hold an application "desk". Give one of the agents another name, or serve the files one at a time.\n',
      );
      expect(await failing('twins', '--app', 'one')).toMatch(
        /^error: --app names one application, and there/,
      );
    },
    SLOW,
  );

  it(
    'says that its address is taken, and leaves it to who has it',
    async () => {
      await write('desk.agent.js', agentFile('desk', ''));
      const other = createServer((_request, response) => response.end('other'));
      other.listen(0, '127.0.0.1');
      await once(other, 'listening');
      const address = `127.0.0.1:${String((other.address() as AddressInfo).port)}`;

      expect(await failing('--bind', address)).toBe(
        `error: The address ${address} is taken by another process. Pass another by --bind, such as 127.0.0.1:8080, or 127.0.0.1:0 for a free one.\n`,
      );
      expect(await (await fetch(`http://${address}`)).text()).toBe('other');
      other.close();
    },
    SLOW,
  );
});

async function lineOf(lines: AsyncIterator<string>, part: RegExp, errors: Promise<string>): Promise<string> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done === true) throw new Error(`The command ended: ${await errors}`);
    if (part.test(value)) return value;
  }
}

function addressIn(line: string) {
  const [, names, url, token] = /^Serving (.*) at (.*)\/\?token=(.*)$/.exec(line) ?? [];
  return { names, url: String(url), token: String(token) };
}

async function listApps(url: string, token: string): Promise<unknown> {
  return (await fetch(`${url}/list-apps`, { headers: { authorization: `Bearer ${token}` } })).json();
}

async function answerOf(url: string, token: string, app: string): Promise<string> {
  const chat = await createAdornClient(url, { token, app }).createSession();
  return (await chat.send('Hello')).text;
}

/** Waits until nothing listens at the address. */
async function gone(url: string): Promise<void> {
  for (;;) {
    try {
      await fetch(url);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
