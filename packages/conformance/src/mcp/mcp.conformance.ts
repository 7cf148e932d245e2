import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { mcpToolset } from '@adorn/mcp';
import { freePort } from '@adorn/testing/servers';

import { type Check, type CheckGroup, type Section, timed } from '../check.js';
import type { Suite } from '../suite.js';
import { allowed, checkPublished, checkToolset, readFixture } from './check-published.js';
import { checkRestarted } from './check-restarted.js';
import { EXPLAINED } from './explained.js';
import { serveFixtures } from './fixture-server.js';
import { PUBLISHED_SERVERS } from './published-servers.js';
import { listScenarios, runScenario } from './run-scenario.js';

/** Servers that others have published, and the scenarios of `@modelcontextprotocol/conformance`. */
export const mcpConformance: Suite = {
  name: 'mcp',
  summary: 'published MCP servers, and the scenarios of @modelcontextprotocol/conformance',
  takes: 'two minutes',
  folder: 'protocol/mcp-real-tools',
  async *run(fixtures): AsyncIterable<Section> {
    for (const server of PUBLISHED_SERVERS)
      yield await timed(`${server.name}, stdio`, () => checkPublished(server, fixtures));
    yield await timed('everything, HTTP', () => checkOverHttp(fixtures));
    yield await timed('everything, restarted under its client', () =>
      checkRestarted(programOf('everything')),
    );
    yield await scenarios('client');
    yield await scenarios('server');
  },
};

function programOf(server: string): string {
  return PUBLISHED_SERVERS.find(({ name }) => name === server)?.program ?? '';
}

/** Runs all scenarios of one kind. Those that are explained are noted, unless they pass after all. */
async function scenarios(kind: 'client' | 'server'): Promise<Section> {
  const leftOut: string[] = [];
  const section = await timed(`${kind} scenarios`, async () => {
    const checks = kind === 'client' ? await clientScenarios() : await serverScenarios();
    return [{ name: 'scenarios', checks: checks.flatMap((check) => judged(check, leftOut)) }];
  });
  return { ...section, leftOut };
}

function judged({ what, fault }: Check, leftOut: string[]): Check[] {
  const reason = EXPLAINED[what];
  if (reason === undefined) return [{ what, fault }];
  if (fault === undefined) return [{ what, fault: 'it passes, but is noted as one that does not' }];
  leftOut.push(`${what}: ${reason}`);
  return [];
}

async function clientScenarios(): Promise<Check[]> {
  const program = fileURLToPath(new URL('fixture-client.js', import.meta.url));
  const checks: Check[] = [];
  for (const scenario of await listScenarios('client'))
    checks.push(await runScenario('client', scenario, ['--command', `${process.execPath} ${program}`]));
  return checks;
}

async function serverScenarios(): Promise<Check[]> {
  await using serving = await serveFixtures();
  const checks: Check[] = [];
  for (const scenario of await listScenarios('server'))
    checks.push(await runScenario('server', scenario, ['--url', serving.url ?? '']));
  return checks;
}

/** The server with tools of all kinds, started at a free port. */
async function checkOverHttp(fixtures: string): Promise<CheckGroup[]> {
  const [everything] = PUBLISHED_SERVERS;
  if (!everything) return [];
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const server = spawn(process.execPath, [everything.program, 'streamableHttp'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    await once(server.stderr, 'data');
    const path = join(fixtures, 'protocol/mcp-real-tools', everything.fixture);
    const expected = await readFixture(path);
    const toolset = mcpToolset({ url: `http://127.0.0.1:${String(port)}/mcp`, ...allowed() });
    return await checkToolset(toolset, expected, everything.calls(''));
  } finally {
    server.kill();
    await once(server, 'close');
  }
}
