import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { copyPeer, installPeer, PEER_FOLDERS } from '@adorn/conformance/install-peer/install-peer';
import { freePort } from '@adorn/testing/servers';

/** The servers that are measured beside each other. */
export const SERVERS = ['Adorn', 'Adorn, telemetry on', 'Google ADK 2.0.0'] as const;

export type ServerName = (typeof SERVERS)[number];

/** Milliseconds in which a server must answer after its start. */
const START_MS = 60_000;

/** A server in a process of its own, with one agent `desk` whose model answers at once. */
export class ServerProcess implements AsyncDisposable {
  private sessions = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** @param answer the number of its pieces, and the characters of each */
  static async open(
    name: ServerName,
    { pieces, length }: { readonly pieces: number; readonly length: number },
  ): Promise<ServerProcess> {
    const env = { ...process.env, NODE_ENV: 'production', PIECES: `${String(pieces)}x${String(length)}` };
    return name === 'Google ADK 2.0.0'
      ? openAdk(env)
      : openAdorn({ ...env, TELEMETRY: name === 'Adorn' ? 'off' : 'on' });
  }

  /** @internal */
  static of(child: ChildProcess, url: string, token?: string): ServerProcess {
    const authorization = token === undefined ? undefined : { authorization: token };
    return new ServerProcess(child, url, { 'content-type': 'application/json', ...authorization });
  }

  /** Bytes of the process in memory. */
  get residentBytes(): number {
    const status = readFileSync(`/proc/${String(this.child.pid)}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024;
  }

  /** Creates a session. @returns the body of a run in it */
  async session(): Promise<string> {
    const sessionId = `s${String((this.sessions += 1))}`;
    const path = `/apps/desk/users/user/sessions/${sessionId}`;
    const response = await fetch(`${this.url}${path}`, { method: 'POST', headers: this.headers, body: '{}' });
    await response.text();
    if (!response.ok) throw new Error(`a session was answered with ${String(response.status)}`);
    const newMessage = { role: 'user', parts: [{ text: 'Hi' }] };
    return JSON.stringify({ appName: 'desk', userId: 'user', sessionId, newMessage, streaming: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
  }
}

async function openAdorn(env: NodeJS.ProcessEnv): Promise<ServerProcess> {
  const script = fileURLToPath(new URL('server-child.js', import.meta.url));
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [line] = (await once(createInterface(child.stdout as NodeJS.ReadableStream), 'line')) as [string];
  const { url, token } = JSON.parse(line) as { readonly url: string; readonly token: string };
  return ServerProcess.of(child, url, token);
}

async function openAdk(env: NodeJS.ProcessEnv): Promise<ServerProcess> {
  const cwd = await installPeer('adk-devtools');
  copyPeer('adk-devtools', PEER_FOLDERS, ['desk.js']);
  const port = String(await freePort());
  const args = ['node_modules/.bin/adk', 'api_server', 'desk.js', '--port', port, '--log_level', 'error'];
  const child = spawn(process.execPath, args, { env, cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://localhost:${port}`;
  const latest = performance.now() + START_MS;
  while (!(await answers(url))) {
    if (performance.now() > latest) throw new Error(`${url} does not answer.`);
    await setTimeout(200);
  }
  return ServerProcess.of(child, url);
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/list-apps`).then(
    ({ ok }) => ok,
    () => false,
  );
}
