import { flag, type Parameter, type Parameters, required, text } from './parameter.js';

const APPLICATION_FILE = 'a .js or .ts file that exports an agent or a runner, or a folder that holds one';

/** The application of a command: the one of this folder, unless another is named. */
export const FILE = text('[file]', APPLICATION_FILE, { fallback: '.', completes: 'files' });

/** The application of a command with further arguments. */
export const REQUIRED_FILE = required('<file>', APPLICATION_FILE, { completes: 'files' });

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
