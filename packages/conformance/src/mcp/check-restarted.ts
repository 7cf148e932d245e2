import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { mcpToolset, type McpToolset } from '@adorn/mcp';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { freePort } from '@adorn/testing/servers';
import { createRunner, defineAgent } from 'adorn';

import type { Check, CheckGroup } from '../check.js';

/** How often the server is started anew. */
const RESTARTS = 3;
/** How long a server may take to answer, in milliseconds. */
const LISTENING_MS = 30_000;
/** How long the processes of a server may take to be gone, in milliseconds. */
const GONE_MS = 10_000;

/** A published server that is started anew under its client: over HTTP at the same address, and over stdio. */
export async function checkRestarted(program: string): Promise<CheckGroup[]> {
  const checks: Check[] = [];
  for (const [transport, path] of [
    ['streamableHttp', 'mcp'],
    ['sse', 'sse'],
  ] as const)
    checks.push({ what: `${transport}, restarted`, fault: await overHttp(program, transport, path) });
  for (const behind of ['nothing', 'a shell'] as const)
    checks.push({ what: `stdio behind ${behind}, killed`, fault: await overStdio(program, behind) });
  return [{ name: 'calls', checks }];
}

async function overHttp(program: string, transport: string, path: string): Promise<string | undefined> {
  const port = await freePort();
  const start = async (): Promise<ChildProcess> => {
    const env = { ...process.env, PORT: String(port) };
    const child = spawn(process.execPath, [program, transport], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.resume();
    await listening(port);
    return child;
  };
  const end = async (child: ChildProcess): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  let server = await start();
  const toolset = mcpToolset({ url: `http://127.0.0.1:${String(port)}/${path}`, effects: { echo: 'read' } });
  const fault = await callsAfter(toolset, async () => {
    await end(server);
    server = await start();
  });
  await end(server);
  return fault;
}

/** Waits until a server answers at a port. */
async function listening(port: number): Promise<void> {
  for (let waited = 0; waited < LISTENING_MS; waited += 50) {
    const answer = await fetch(`http://127.0.0.1:${String(port)}/nothing`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer !== undefined) return;
    await delay(50);
  }
  throw new Error(`No server answers at port ${String(port)} after ${String(LISTENING_MS)} ms.`);
}

async function overStdio(program: string, behind: 'nothing' | 'a shell'): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'adorn-restarted-'));
  try {
    const file = join(folder, 'pids');
    await writeFile(file, '');
    // The program tells its id, and does not end with its input.
    const loader = join(folder, 'loader.mjs');
    const stay = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(file)}, process.pid + '\\n'); setInterval(() => {}, 1000);`;
    await writeFile(loader, stay);
    const args = ['--import', loader, program, 'stdio'];
    const command =
      behind === 'nothing'
        ? { command: process.execPath, args }
        : { command: 'sh', args: ['-c', '"$0" "$@"; exit $?', process.execPath, ...args] };
    const pids = async (): Promise<number[]> =>
      (await readFile(file, 'utf8')).split('\n').filter(Boolean).map(Number);
    const fault = await callsAfter(mcpToolset({ ...command, effects: { echo: 'read' } }), async () => {
      const pid = (await pids()).at(-1) ?? 0;
      process.kill(pid, 'SIGKILL');
      while (isRunning(pid)) await delay(50);
      // Its pipes close after it.
      await delay(500);
    });
    return fault ?? (await leftOf(await pids()));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Calls a tool before and after each restart; the runner is closed at the end. */
async function callsAfter(toolset: McpToolset, restart: () => Promise<void>): Promise<string | undefined> {
  const steps = Array.from({ length: RESTARTS + 1 }, (_none, count) => [
    callsTool('echo', { message: `call ${String(count)}` }),
    says('Done.'),
  ]);
  const Client = defineAgent({ name: 'client', description: '', tools: [toolset] });
  await using runner = await createRunner(Client, { model: new ScriptedModel(...steps.flat()) });
  for (let count = 0; count <= RESTARTS; count++) {
    if (count > 0) await restart();
    const { events } = await runner.run({ userId: 'ada', sessionId: 's1', message: 'Go.' });
    const [response] = events.flatMap(({ functionResponses }) => functionResponses.filter(isFinal));
    const told = JSON.stringify(response?.response);
    if (!told.includes(`Echo: call ${String(count)}`))
      return `call ${String(count)} was answered with ${told.slice(0, 200)}`;
  }
  return undefined;
}

function isFinal({ response }: { readonly response?: unknown }): boolean {
  return (response as { readonly progress?: unknown } | undefined)?.progress === undefined;
}

async function leftOf(pids: readonly number[]): Promise<string | undefined> {
  for (let waited = 0; pids.some(isRunning); waited += 50) {
    if (waited > GONE_MS) return `a process of the server is left: ${String(pids.filter(isRunning))}`;
    await delay(50);
  }
  return undefined;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
