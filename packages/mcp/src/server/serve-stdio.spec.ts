import { callsTool } from '@adorn/testing';

import { ended, respond } from '../toolset/agent.fixture.js';
import { mcpToolset } from '../toolset/mcp.toolset.js';

/** A program that serves one tool over its standard input and output. */
const PROGRAM = `
  const { FunctionTool } = await import('@adorn/core');
  const { serveMcp } = await import('@adorn/mcp');
  const pid = new FunctionTool({ name: 'pid', description: '', effect: 'read', run: () => process.pid });
  await serveMcp([pid], { stdio: true });
`;

describe('tools served over stdio', () => {
  it('are called by a toolset that starts the program, which ends with it', async () => {
    const toolset = mcpToolset({ command: process.execPath, args: ['--input-type=module', '-e', PROGRAM] });

    const [response] = (await respond([toolset], [callsTool('pid')])) as { result: string }[];

    expect(Number(response?.result)).toBeGreaterThan(0);
    await ended(Number(response?.result));
  });
});
