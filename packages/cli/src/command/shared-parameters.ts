import { UsageError } from '../usage.error.js';
import { flag, type Parameter, type Parameters, required, text, type ValuesOf } from './parameter.js';

const APPLICATION_FILE = 'a .js or .ts file that exports an agent or a runner, or a folder that holds one';

/** The application of a command: the one of this folder, unless another is named. */
export const FILE = text('[file]', APPLICATION_FILE, { fallback: '.', completes: 'files' });

/** The application of a command with further arguments. */
export const REQUIRED_FILE = required('<file>', APPLICATION_FILE, { completes: 'files' });

/** The project of a command that reads its sources. */
export const FOLDER = text('[folder]', 'the folder of the project, or its tsconfig (default: ".")', {
  completes: 'files',
});

/** The same as an option, as tsc has it. */
export const PROJECT = text('<tsconfig>', 'the same as the argument, as tsc has it', {
  short: 'p',
  completes: 'files',
});

/**
 * The project that a command line names as its argument or as `--project`. Default: `.`.
 *
 * @throws {UsageError} if it names both
 */
export function projectNamed({
  folder,
  project,
}: ValuesOf<{ folder: typeof FOLDER; project: typeof PROJECT }>): string {
  if (folder !== undefined && project !== undefined)
    throw new UsageError(`There are two projects: ${folder}, and ${project} of --project. Name one of them.`);
  return folder ?? project ?? '.';
}

/** Where conversations are stored, and under which application. */
export const STORE_OPTIONS = {
  store: text('<url>', 'the store of conversations: a SQLite file or postgres://…', { completes: 'files' }),
  app: text('<name>', "the application's name (default: the agent's)"),
} satisfies Parameters;

/** The owner of a conversation. */
export const USER = text('<id>', 'the id of the user', { fallback: 'user' });

/** The model of a conversation. */
export const MODEL = text(
  '<name>',
  "a model, such as openai/gpt-5-mini; offline, or own for the agent's (default: by the environment)",
);

/** Every command has it: what it prints is then for programs. */
export function json(description = 'print JSON'): Parameter<boolean> {
  return flag(description);
}
