import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

import type { CommandContext, Declaration } from '../command/declaration.js';
import { toCommander } from '../command/to-commander.js';

export const BIN = resolve('packages/cli/bin/adorn.js');

/** What a process has printed, and how it ended. */
export interface Ended {
  readonly output: string;
  readonly errors: string;
  readonly code: number | null;
}

/** What a command says only on a machine that has much other work: no spec can tell when. */
const NOTICES_OF_SLOWNESS = [
  /^adorn: the schemas of tools are being derived .*\n/gm,
  /^\S+ is still being loaded\. .*\n/gm,
];

/** The errors of a process without what it says where the machine is slow. */
function withoutNotices(errors: string): string {
  return NOTICES_OF_SLOWNESS.reduce((rest, notice) => rest.replace(notice, ''), errors);
}

/** Runs each command line that it is sent, in turn, and answers with what a process of its own would have printed. */
const IN_TURN = `
import { main } from ${JSON.stringify(pathToFileURL(resolve('packages/cli/dist/index.js')).href)};
const facts = { version: '1.2.3', bin: ${JSON.stringify(pathToFileURL(BIN).href)} };
process.stdout.setMaxListeners(0);
process.on('message', async (args) => {
  const ended = { output: '', errors: '' };
  const writeTo = (name) => (text, ...more) => {
    ended[name] += text;
    more.find((one) => typeof one === 'function')?.();
    return true;
  };
  process.stdout.write = writeTo('output');
  process.stderr.write = writeTo('errors');
  process.exitCode = 0;
  await main(['node', 'adorn', ...args], facts);
  process.send({ ...ended, code: process.exitCode });
});
`;

/** A folder with an application, in which the built `adorn` is run. */
export class Project {
  private inTurn: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    private readonly variables: NodeJS.ProcessEnv,
  ) {}

  /** @param variables environment variables of its processes, over those of this one */
  static async create(
    files: Readonly<Record<string, string>>,
    variables: NodeJS.ProcessEnv = {},
  ): Promise<Project> {
    await mkdir('packages/cli/build', { recursive: true });
    // Inside of this package, from where the packages of Adorn are found.
    const project = new Project(await mkdtemp(resolve('packages/cli/build/project-')), variables);
    for (const [name, content] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
      await project.write(name, content);
    }
    return project;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8');
  }

  async write(name: string, content: string): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), content);
  }

  remove(): Promise<void> {
    this.inTurn?.kill();
    return rm(this.folder, { recursive: true });
  }

  /** Starts `adorn`; its standard input is closed. */
  start(...args: string[]) {
    return spawn(process.execPath, [BIN, ...args], this.settings());
  }

  /** Runs `adorn` to its end. */
  adorn(...args: string[]): Promise<Ended> {
    return ended(this.start(...args));
  }

  /**
   * Runs `adorn` in a process that is kept for the next command line: the application is loaded once. What depends on how a
   * process ends, or on a source that has changed, needs `adorn`.
   */
  async adornInTurn(...args: string[]): Promise<Ended> {
    const child = (this.inTurn ??= spawn(process.execPath, ['--input-type=module', '-e', IN_TURN], {
      ...this.settings(),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }));
    child.send(args);
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error(`adorn ${args.join(' ')} has ended its process.`));
      child.once('exit', fail).once('message', (ended: Ended) => {
        child.off('exit', fail);
        resolve({ ...ended, errors: withoutNotices(ended.errors) });
      });
    });
  }

  /** Runs a program to its end. */
  node(...args: string[]): Promise<Ended> {
    return ended(spawn(process.execPath, args, this.settings()));
  }

  private settings() {
    return {
      cwd: this.folder,
      env: { ...process.env, NODE_ENV: '', ...this.variables },
      stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
    };
  }
}

export async function ended(child: ChildProcess): Promise<Ended> {
  const closed = once(child, 'close');
  const [output, errors] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
  ]);
  await closed;
  return { output, errors: withoutNotices(errors), code: child.exitCode };
}

/** Runs a command in this process, and returns what it has printed. */
export async function printedBy(
  declared: Declaration,
  args: readonly string[],
  context: Partial<CommandContext> & { readonly isTTY?: boolean } = {},
): Promise<string> {
  const { isTTY = false } = context;
  let printed = '';
  const output = { isTTY, write: (piece: string) => (printed += piece) };
  const command = toCommander(declared, {
    version: '1.2.3',
    bin: new URL(`file://${BIN}`).href,
    output,
    errors: { write: () => undefined },
    ...context,
  });
  await command.parseAsync([...args], { from: 'user' });
  return printed;
}
