import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { type McpToolOptions, mcpToolset, type McpToolset } from '@adorn/mcp';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent } from 'adorn';

import type { CheckGroup } from '../check.js';
import type { CheckedCall, PublishedServer } from './published-servers.js';

/** What a server is allowed to ask for: tools may depend on it. */
export function allowed(): McpToolOptions {
  return {
    confirm: false,
    elicitation: () => ({ name: 'Ada', check: true }),
    sampling: new ScriptedModel(says('Hello.')),
    roots: ['file:///tmp'],
  };
}

type Declaration = Readonly<{ name: string; description?: string; parametersJsonSchema?: unknown }>;
type FixtureTool = Readonly<{
  name: string;
  description?: string;
  inputSchema: unknown;
}>;

/** The tools that a server listed when its fixture was made. */
export async function readFixture(path: string): Promise<FixtureTool[]> {
  return JSON.parse(await readFile(path, 'utf8')) as FixtureTool[];
}

/** Starts a server over stdio, compares its tools with those of the fixture, and calls each of them. */
export async function checkPublished(server: PublishedServer, fixtures: string): Promise<CheckGroup[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'adorn-mcp-')));
  try {
    const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
    const args = [server.program, ...server.args(folder)];
    const toolset = mcpToolset({ command: process.execPath, args, env, cwd: folder, ...allowed() });
    const path = join(fixtures, 'protocol/mcp-real-tools', server.fixture);
    const expected = await readFixture(path);
    return await checkToolset(toolset, expected, server.calls(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compares the tools of a toolset with those of a list, and calls each of them in one run. */
export async function checkToolset(
  toolset: McpToolset,
  expected: readonly FixtureTool[],
  calls: Readonly<Record<string, CheckedCall>>,
): Promise<CheckGroup[]> {
  const model = new ScriptedModel(
    ...Object.entries(calls).map(([name, [args]]) => callsTool(name, args)),
    says('Done.'),
  );
  const Client = defineAgent({ name: 'client', description: '', model, tools: [toolset] });
  await using runner = await createRunner(Client);
  const { events } = await runner.run({ userId: 'ada', sessionId: 's1', message: 'Go.' });
  const responses = events
    .filter(({ partial }) => !partial)
    .flatMap(({ functionResponses }) => functionResponses);
  const listed = declarationsIn(model);
  return [
    {
      name: 'tools',
      checks: expected.map((tool) => ({
        what: tool.name,
        fault: differenceOf(
          tool,
          listed.find(({ name }) => name === tool.name),
        ),
      })),
    },
    {
      name: 'calls',
      checks: expected.map(({ name }) => {
        const response = responses.find((one) => one.name === name)?.response;
        return { what: name, fault: faultOf(response, calls[name]) };
      }),
    },
  ];
}

function declarationsIn(model: ScriptedModel): readonly Declaration[] {
  const tools = (model.requests[0]?.config.tools ?? []) as { functionDeclarations?: Declaration[] }[];
  return tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
}

function differenceOf(tool: FixtureTool, listed: Declaration | undefined): string | undefined {
  if (!listed) return 'it is not offered';
  if (!isDeepStrictEqual(listed.parametersJsonSchema, tool.inputSchema)) return 'its schema differs';
  return listed.description === (tool.description ?? '') ? undefined : 'its description differs';
}

function faultOf(response: unknown, call: CheckedCall | undefined): string | undefined {
  if (response === undefined || !call) return 'it was not answered';
  const { error } = response as { readonly error?: unknown };
  const text = JSON.stringify(error ?? response);
  const [, told] = call;
  const isTold = typeof told === 'string' ? text.includes(told) : told.test(text);
  return error === undefined && isTold ? undefined : `it was answered with ${text.slice(0, 200)}`;
}
