import type { Runner } from 'adorn';
import { Command } from 'commander';

import { type Application, loadApplication, NothingExportedError } from '../application/load-application.js';
import { runnerOf } from '../application/runner-of.js';
import { latestSession } from '../chat/chat-session.js';
import { chat } from '../chat/chat.js';
import { restartOnChange } from '../watch/restart-on-change.js';

interface RunOptions {
  readonly script?: string;
  readonly user: string;
  readonly session?: string;
  readonly model?: string;
  readonly app?: string;
  readonly store?: string;
  readonly continue?: boolean;
  readonly watch?: boolean;
}

/**
 * `adorn run`: a conversation with an agent in the terminal, or from a script.
 *
 * @param bin the URL of the command, which a watched run starts again
 */
export function runCommand(bin: string): Command {
  return new Command('run')
    .description('talk to an agent in the terminal')
    .argument(
      '[file]',
      'a .js or .ts file that exports an agent or a runner, or a folder that holds one',
      '.',
    )
    .option('--script <file>', 'play a script: one message of the user per line, y or n for a question')
    .option('--user <id>', 'the id of the user', 'user')
    .option('--session <id>', 'the conversation to continue (default: a new one)')
    .option('--store <url>', 'the store of conversations: a SQLite file or postgres://… (default: none)')
    .option('--continue', 'continue the latest conversation of the store')
    .option(
      '--model <name>',
      "a model, such as openai/gpt-5-mini; offline, or own for the agent's (default: by the environment)",
    )
    .option('--app <name>', "the application's name (default: the agent's)")
    .option(
      '--watch',
      'restart when a file of the application changes; with --store the conversation continues',
    )
    .addHelpText('after', AFTER)
    .action((file: string, options: RunOptions) =>
      options.watch === true ? restartOnChange(bin, continuing(options)) : run(file, bin, options),
    );
}

/** A stored conversation continues after a restart. */
function continuing({ store, continue: isContinued }: RunOptions): string[] {
  return store !== undefined && isContinued !== true ? ['--continue'] : [];
}

const AFTER = `
With GEMINI_API_KEY, GOOGLE_API_KEY or Vertex AI's settings in the environment the agent's own model answers,
else the server at OPENAI_BASE_URL, or the provider of OPENAI_API_KEY or ANTHROPIC_API_KEY, else the offline model,
which matches words to tools and does not reason.

A file exports its agent class, and \`modules\` if the agent needs services of the application:
  export const modules = [sqlStorage('app.db')];
or the runner itself: export const runner = createRunner(Support, { … }); --model, --app and --store are then its own.

A file that exports nothing is a program: it runs, and the command ends.

TypeScript is loaded by the project's tsx, or else compiled file by file; types are not checked.

Examples:
  $ adorn run                        # the agent of this folder, or of its build, dist or src
  $ adorn run src/support.agent.ts --watch
  $ adorn run . --script demo.txt
  $ adorn run . --store chats.db --continue
`;

async function run(file: string, bin: string, options: RunOptions): Promise<void> {
  const { script, user: userId } = options;
  const application = await applicationOf(file, bin);
  if (!application) return;
  await using runner = await runnerOf(application, file, options);
  using _closing = closeOnSignal(runner);
  const latest = options.continue === true ? await latestSession(runner, userId) : undefined;
  const { faults } = await chat(runner, { script, userId, sessionId: options.session ?? latest });
  if (faults > 0) process.exitCode = 1;
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

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The process, as far as signals are concerned. */
export interface SignalledProcess {
  readonly pid: number;
  once(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  kill(pid: number, signal: NodeJS.Signals): unknown;
}

/**
 * Until it is disposed of: a signal that ends the process first closes the runner, so that the last events of its runs
 * are stored. Then the process ends by that signal; a second one ends it at once.
 */
export function closeOnSignal(
  runner: Pick<Runner<unknown>, 'close'>,
  host: SignalledProcess = process,
): Disposable {
  const stopListening = (): void => {
    for (const name of SIGNALS) host.off(name, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    stopListening();
    const die = (): void => {
      host.kill(host.pid, signal);
    };
    runner.close().then(die, die);
  };
  for (const name of SIGNALS) host.once(name, end);
  return { [Symbol.dispose]: stopListening };
}
