import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { Target } from './attack.js';
import { ProcessWatch } from './process-watch.js';

/** What the host felt of an attack. */
export interface Felt {
  readonly ms: number;
  /** The longest time that the event loop of the host stood still, in milliseconds. */
  readonly delayMs: number;
  /** How much memory the process of the host took more, in bytes. */
  readonly rss: number;
  /** The most processes of the sandbox at a time. */
  readonly processes: number;
  /** The most memory of these processes at a time, in bytes. */
  readonly memory: number;
}

/** The things of the host that attacks aim at: a secret in a file and in the environment, a server, its processes. */
export class HostWatch {
  readonly secret = `secret-${String(process.pid)}-${String(Date.now())}`;
  connections = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), 'adorn-chaos-'));
  private readonly server: Server;
  private readonly processes = new ProcessWatch();

  private constructor() {
    writeFileSync(join(this.folder, 'secret'), this.secret, { mode: 0o644 });
    process.env['ADORN_CHAOS_SECRET'] = this.secret;
    this.server = createServer((socket) => {
      this.connections++;
      socket.on('error', () => undefined).end();
    });
  }

  static async start(): Promise<HostWatch> {
    const watch = new HostWatch();
    await new Promise<void>((resolve) => watch.server.listen(0, '127.0.0.1', resolve));
    return watch;
  }

  get target(): Target {
    const { port } = this.server.address() as { readonly port: number };
    return { file: join(this.folder, 'secret'), trace: join(this.folder, 'trace'), port };
  }

  /** Does the work, and measures what the host feels. */
  async feel<Result>(work: () => Promise<Result>): Promise<{ readonly result: Result; readonly felt: Felt }> {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const before = process.memoryUsage().rss;
    const begun = performance.now();
    this.processes.take();
    delay.enable();
    const result = await work();
    delay.disable();
    const { processes, memory } = this.processes.take();
    const felt = {
      ms: performance.now() - begun,
      delayMs: delay.max / 1e6,
      rss: process.memoryUsage().rss - before,
      processes,
      memory: memory * 1024,
    };
    return { result, felt };
  }

  /** What an attack has left behind or reached, and forgets it. Undefined for nothing. */
  faultOf(output: string): string | undefined {
    const { target, connections } = this;
    const faults: string[] = [];
    if (output.includes(this.secret)) faults.push('it has the secret');
    if (output.includes('BREACH'))
      faults.push(`it says ${output.slice(output.indexOf('BREACH')).slice(0, 120)}`);
    if (connections > 0) faults.push('it has connected to a server of the host');
    if (existsSync(target.trace)) faults.push('it has written a file of the host');
    if (leftProcesses() > 0) faults.push('its processes go on');
    this.connections = 0;
    rmSync(target.trace, { force: true });
    return faults.length === 0 ? undefined : faults.join(', ');
  }

  async close(): Promise<void> {
    await this.processes.close();
    this.server.close();
    delete process.env['ADORN_CHAOS_SECRET'];
    rmSync(this.folder, { recursive: true });
  }
}

/** The processes of attacks, which sleep for a time that nothing else sleeps. */
function leftProcesses(): number {
  const all = execFileSync('ps', ['-eo', 'args']).toString().split('\n');
  return all.filter((line) => line.includes('sleep 987')).length;
}
