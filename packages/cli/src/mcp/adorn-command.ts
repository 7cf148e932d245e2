import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { startGroup } from '@adorn/core/backend';

interface CommandOptions {
  /** The standard input. Default: none. */
  readonly input?: string;
  readonly signal: AbortSignal;
}

/** A longer output of a stream loses its middle. */
const MOST_CHARACTERS = 30_000;
/** Keys and addresses of models: without them no command that a coding agent starts asks a model that costs money. */
const MODEL_SETTINGS =
  /^((GEMINI|GOOGLE|OPENAI|ANTHROPIC)_API_KEY|OPENAI_BASE_URL|GOOGLE_GENAI_USE_VERTEXAI|NODE_OPTIONS)$/;

/** Runs the `adorn` command in processes of their own, in one folder. */
export class AdornCommand {
  /** @param bin the URL of the command @param folder where it runs */
  constructor(
    private readonly bin: string,
    readonly folder: string,
  ) {}

  /** @returns what the command has printed, the standard output first, and its exit code if that is not 0. The process ends with the signal. */
  async run(args: readonly string[], { input = '', signal }: CommandOptions): Promise<string> {
    const { child, end } = startGroup(process.execPath, [fileURLToPath(this.bin), ...args], {
      cwd: this.folder,
      env: withoutModels(process.env),
      stdio: 'pipe',
    });
    const stop = (): void => void end();
    signal.addEventListener('abort', stop, { once: true });
    try {
      child.stdin.on('error', () => undefined).end(input);
      const [output, errors, [exitCode]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close') as Promise<[number | null]>,
      ]);
      const failure = exitCode === 0 ? '' : `(exit code ${String(exitCode)})`;
      return [shortened(output), shortened(errors), failure].filter((part) => part !== '').join('\n');
    } finally {
      signal.removeEventListener('abort', stop);
      await end();
    }
  }
}

function withoutModels(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !MODEL_SETTINGS.test(name)));
}

function shortened(output: string): string {
  if (output.length <= MOST_CHARACTERS) return output;
  const half = MOST_CHARACTERS / 2;
  const left = output.length - MOST_CHARACTERS;
  return `${output.slice(0, half)}\n… ${String(left)} characters are left out …\n${output.slice(-half)}`;
}
