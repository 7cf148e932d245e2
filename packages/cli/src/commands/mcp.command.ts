import { resolve } from 'node:path';

import { type CommandContext, defineCommand } from '../command/declaration.js';
import { text } from '../command/parameter.js';
import { ownVersion } from '../new/template.js';

const FOLDER = text('[folder]', 'the project that the coding agent works on', {
  fallback: '.',
  completes: 'files',
});

/** `adorn mcp`: documents and commands for coding agents, over MCP. */
export const mcpCommand = defineCommand({
  name: 'mcp',
  summary: 'serve the documents, check, explain and offline runs to a coding agent, over MCP',
  arguments: { folder: FOLDER },
  notes: `
The server speaks MCP over its standard input and output, until the input ends. Its tools read the documents that the package adorn brings along, look up error codes, and run adorn check, adorn explain and adorn run --model offline in the folder. Keys of models are not passed to these commands. Files outside of the folder are refused.

  {"mcpServers": {"adorn": {"command": "npx", "args": ["adorn", "mcp"]}}}`,
  examples: ['adorn mcp', 'claude mcp add adorn -- npx adorn mcp'],
  run: serveTools,
});

const INSTRUCTIONS = `Documents and tools for Adorn, an agent development kit for TypeScript. Search the documents before you write code for it.
After a change, check_project finds tools that cannot work, and run_offline plays a conversation without a key.`;

/** The server and the tools are loaded only here. */
async function serveTools(
  { folder }: { readonly folder: string },
  { bin, goesOn }: CommandContext,
): Promise<void> {
  const [{ serveMcp }, { ContainerModule }, ...tools] = await Promise.all([
    import('@adorn/mcp'),
    import('adorn'),
    import('../mcp/documents.js'),
    import('../mcp/project.js'),
  ]);
  const { AdornCommand } = await import('../mcp/adorn-command.js');
  const [{ Documents }, { Project }] = tools;
  const services = new ContainerModule(({ bind }) => {
    bind(AdornCommand).toConstantValue(new AdornCommand(bin, resolve(folder)));
  });
  await serveMcp([Documents, Project], {
    name: 'adorn',
    version: ownVersion(),
    instructions: INSTRUCTIONS,
    stdio: true,
    runner: { modules: [services] },
  });
  goesOn?.();
}
