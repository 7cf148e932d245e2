import { type ContainerModule, createRunner } from 'adorn';
import { Command } from 'commander';

import { loadAgent } from '../agent-module/load-agent.js';
import { chat } from '../chat/chat.js';
import { latestSession } from '../chat/latest-session.js';
import { chooseModel } from '../model-choice.js';
import { closeOnSignal } from './close-on-signal.js';

interface RunOptions {
  readonly script?: string;
  readonly user: string;
  readonly session?: string;
  readonly model?: string;
  readonly app?: string;
  readonly store?: string;
  readonly continue?: boolean;
}

/** `adorn run`: a conversation with an agent in the terminal, or from a script. */
export function runCommand(): Command {
  return new Command('run')
    .description('talk to an agent in the terminal')
    .argument('<module>', 'a built .js file, or a folder, that exports the root agent class')
    .option(
      '--script <file>',
      'play a script: a line for each thing the user says, y or n where a question waits',
    )
    .option('--user <id>', 'who talks', 'user')
    .option('--session <id>', 'the conversation to take up (default: a new one)')
    .option(
      '--store <url>',
      'where conversations are kept: a SQLite file, or postgres://… (default: nowhere)',
    )
    .option('--continue', 'take up the latest conversation of the store')
    .option('--model <name>', "a Gemini model; offline, or own for the agent's (default: by the environment)")
    .option('--app <name>', "the application's name (default: the agent's)")
    .addHelpText('after', AFTER)
    .action(run);
}

const AFTER = `
With GEMINI_API_KEY, GOOGLE_API_KEY or Vertex AI's settings in the environment the agent's own model answers,
else the offline model, which matches words to tools and does not reason.

Examples:
  $ adorn run build/support.agent.js
  $ adorn run . --script demo.txt
  $ adorn run . --store chats.db --continue
`;

async function run(module: string, options: RunOptions): Promise<void> {
  const { script, user: userId, app: appName } = options;
  const agent = await loadAgent(module);
  const { model, line } = chooseModel(process.env, options.model);
  console.log(line);
  const modules = await storeModules(options.store);
  await using runner = await createRunner(agent, { appName, model, modules, config: { streaming: 'sse' } });
  using _closing = closeOnSignal(runner);
  const latest = options.continue === true ? await latestSession(runner, userId) : undefined;
  const { faults } = await chat(runner, { script, userId, sessionId: options.session ?? latest });
  if (faults > 0) process.exitCode = 1;
}

/** Storage is loaded only where it is asked for: it brings the drivers of databases. */
async function storeModules(url: string | undefined): Promise<ContainerModule[]> {
  if (url === undefined) return [];
  const { sqlStorage } = await import('@adorn/storage');
  return [sqlStorage(url)];
}
