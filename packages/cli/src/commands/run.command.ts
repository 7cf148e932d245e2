import type { Event } from '@adorn/core';

import { closeOnSignal } from '../application/close-on-signal.js';
import { type Application, loadApplication, NothingExportedError } from '../application/load-application.js';
import { runnerOf } from '../application/runner-of.js';
import { latestSession } from '../chat/chat-session.js';
import { chat } from '../chat/chat.js';
import { type CommandContext, defineCommand } from '../command/declaration.js';
import { FAILED } from '../command/exit-codes.js';
import { flag, type Parameters, text, type ValuesOf } from '../command/parameter.js';
import { FILE, json, MODEL, STORE_OPTIONS, USER } from '../command/shared-parameters.js';
import { printJsonLine } from '../terminal/print.js';
import { restartOnChange } from '../watch/restart-on-change.js';

const OPTIONS = {
  script: text('<file>', 'play a script: one message of the user per line, y or n for a question', {
    completes: 'files',
  }),
  user: USER,
  session: text('<id>', 'the conversation to continue (default: a new one)'),
  ...STORE_OPTIONS,
  continue: flag('continue the latest conversation of the store'),
  model: MODEL,
  watch: flag('restart when a file of the application changes; with --store the conversation continues'),
  json: json('print each event as a line of JSON, and what people read to the standard error'),
} satisfies Parameters;

type RunOptions = ValuesOf<typeof OPTIONS>;

/** `adorn run`: a conversation with an agent in the terminal, or from a script. */
export const runCommand = defineCommand({
  name: 'run',
  summary: 'talk to an agent in the terminal',
  arguments: { file: FILE },
  options: OPTIONS,
  notes: `
ADORN_MODEL names a model as --model does. Without either, and with GEMINI_API_KEY, GOOGLE_API_KEY or Vertex AI's settings in the
environment, the agent's own model answers, else the server at OPENAI_BASE_URL, or the provider of OPENAI_API_KEY or ANTHROPIC_API_KEY,
else the offline model, which matches words to tools and does not reason. With NODE_ENV=production it has to be named.

A file exports its agent class, and \`modules\` if the agent needs services of the application:
  export const modules = [sqlStorage('app.db')];
or the runner itself: export const runner = createRunner(Support, { … }); --model, --app and --store are then its own.

A file that exports nothing is a program: it runs, and the command ends.

TypeScript is loaded by the project's tsx, or else compiled file by file; types are not checked.

Without a terminal, the lines of the standard input are played.`,
  exitCodes: { 1: 'a script met an error, or the application could not be loaded' },
  elsewhere: {
    replay: '--script, with one message per line',
    resume: '--session',
    'save-session': '--store chats.db',
    'session-id': '--session',
    'session-service-uri': '--store',
    'default-llm-model': '--model',
    'artifact-service-uri': '--store',
    'memory-service-uri': '--store',
    'use-local-storage': '--store chats.db',
    'in-memory': 'nothing: conversations are in memory unless there is a --store',
    jsonl: '--json',
    reload: '--watch',
    env: 'node --env-file .env node_modules/.bin/adorn run',
  },
  examples: [
    'adorn run                        # the agent of this folder, or of its build, dist or src',
    'adorn run src/support.agent.ts --watch',
    'adorn run . --script demo.txt',
    'adorn run . --store chats.db --continue',
    'adorn run . --script demo.txt --json > events.jsonl',
  ],
  run: (values, context) =>
    values.watch ? restartOnChange(context.bin, continuing(values)) : run(values, context),
});

/** A stored conversation continues after a restart. */
function continuing({ store, continue: isContinued }: RunOptions): string[] {
  return store !== undefined && !isContinued ? ['--continue'] : [];
}

async function run(
  { file, ...options }: RunOptions & { readonly file: string },
  { bin, output, errors, goesOn }: CommandContext,
): Promise<void> {
  const { script, user: userId, json: isJson } = options;
  const application = await applicationOf(file, bin);
  if (!application) {
    goesOn?.();
    return;
  }
  const tell = (line: string): void => void (isJson ? errors : output).write(`${line}\n`);
  await using runner = await runnerOf(application, file, options, tell);
  using _closing = closeOnSignal(runner);
  const latest = options.continue ? await latestSession(runner, userId) : undefined;
  const sessionId = options.session ?? latest;
  const ways = isJson
    ? { output: process.stderr, onEvent: (event: Event) => printJsonLine(output, event) }
    : {};
  const { faults } = await chat(runner, { script, userId, sessionId, ...ways });
  if (faults > 0) process.exitCode = FAILED;
}

/** Undefined for a file that exports nothing: a program, which has done its work. */
async function applicationOf(file: string, bin: string): Promise<Application | undefined> {
  try {
    return await loadApplication(file, bin);
  } catch (error) {
    if (!(error instanceof NothingExportedError)) throw error;
    process.stderr.write(
      `adorn: ${file} exports nothing and was run as a program. Export an agent to talk to it.\n`,
    );
    return undefined;
  }
}
