import { type Check, type Section, timed } from '../check.js';
import type { Suite } from '../suite.js';
import { serveFixtures } from './fixture-server.js';
import { listScenarios, runScenario } from './run-scenario.js';

/** The scenarios of `@modelcontextprotocol/conformance`, and servers that others have published. */
export const mcpConformance: Suite = {
  name: 'mcp',
  summary: 'published MCP servers, and the scenarios of @modelcontextprotocol/conformance',
  takes: 'a minute',
  folder: 'protocol/mcp-real-tools',
  async *run(): AsyncIterable<Section> {
    yield await timed('server scenarios', async () => [{ name: 'scenarios', checks: await serverScenarios() }]);
  },
};

async function serverScenarios(): Promise<Check[]> {
  await using serving = await serveFixtures();
  const checks: Check[] = [];
  for (const scenario of await listScenarios('server'))
    checks.push(await runScenario('server', scenario, ['--url', serving.url ?? '']));
  return checks;
}
