import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { mcpToolset } from '@adorn/mcp';
import { OfflineModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent } from 'adorn';

const folder = await mkdtemp(join(tmpdir(), 'notes-'));
await writeFile(join(folder, 'monday.txt'), 'Closed on Monday.');

// The program of an installed package, at the version of the lock file: nothing is downloaded when it is started.
const server = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));
const notes = mcpToolset({
  name: 'notes',
  command: process.execPath,
  args: [server, folder],
  only: ['list_directory'],
});

/** Reads notes. */
@agent({ model: 'gemini-2.5-flash', tools: [notes] })
class Desk extends LlmAgent {}

await using runner = await createRunner(Desk, { model: new OfflineModel() });
const { output } = await runner.call({ userId: 'ada', tool: 'list_directory', args: { path: folder } });
console.log(output);
await rm(folder, { recursive: true });
