import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { startGroup } from '@adorn/core/backend';

import { freePort } from './free-port.js';

/** A real Restate server for a test, with its data in its own folder. */
export class RestateServer {
  private server: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly program: string,
    private readonly ports: readonly [number, number, number],
  ) {}

  /** @throws if `@restatedev/restate-server` is not installed, or does not support this machine */
  static async start(): Promise<RestateServer> {
    const program = restateProgram();
    if (program === undefined)
      throw new Error('@restatedev/restate-server is not installed for this machine.');
    const ports: [number, number, number] = [await freePort(), await freePort(), await freePort()];
    const server = new RestateServer(mkdtempSync(join(tmpdir(), 'adorn-restate-')), program, ports);
    try {
      await server.startAgain();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Where invocations are sent to. */
  get ingress(): string {
    return `http://127.0.0.1:${String(this.ports[0])}`;
  }

  /** Where workers register. */
  get admin(): string {
    return `http://127.0.0.1:${String(this.ports[1])}`;
  }

  /** The operating system's id of the process. */
  get pid(): number | undefined {
    return this.server?.pid;
  }

  /** Ends the server and keeps its data; `SIGKILL` ends it as a crash would. */
  async halt(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  }

  /** Starts the server that was halted, with the same data at the same addresses. */
  async startAgain(): Promise<void> {
    const [ingress, admin, node] = this.ports.map(String);
    const options = ['--base-dir', this.folder, '--node-name', 'test', '--default-num-partitions', '4'];
    const { child: server } = startGroup(
      this.program,
      [...options, '--listen-mode', 'tcp', '--bind-port', node ?? ''],
      {
        env: {
          ...process.env,
          RESTATE_INGRESS__BIND_PORT: ingress,
          RESTATE_ADMIN__BIND_PORT: admin,
          RESTATE_DISABLE_TELEMETRY: 'true',
          RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MiB',
          RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: '3s',
          RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: '3s',
          RESTATE_WORKER__INVOKER__HTTP2_STREAMS_PER_CONNECTION_LIMIT: '4',
        },
        stdio: ['ignore', 'ignore', 'ignore'],
      },
    );
    this.server = server;
    await this.untilReady(server);
  }

  /** Ends the server and removes all it kept. */
  async stop(): Promise<void> {
    await this.halt();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async untilReady(server: ChildProcess): Promise<void> {
    for (let tries = 0; tries < 600; tries++) {
      if (server.exitCode !== null)
        throw new Error(`Restate ended with ${String(server.exitCode)} before it was ready.`);
      const healthy = [`${this.ingress}/restate/health`, `${this.admin}/health`].map((url) =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      if ((await Promise.all(healthy)).every(Boolean)) return;
      await setTimeout(50);
    }
    throw new Error('Restate was not ready within 30 seconds.');
  }
}

/** That of the package for this machine; undefined if there is none. */
function restateProgram(): string | undefined {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  try {
    return resolve(`@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`);
  } catch {
    return undefined;
  }
}
