import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { freePort } from '@adorn/testing/servers';

const require = createRequire(import.meta.url);

const START_MS = 60_000;
const POLL_MS = 200;

/** A mock of an API that validates requests against its document, in a process of its own. */
export class PrismMock implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Starts the mock, and waits until it listens. */
  static async start(document: string): Promise<PrismMock> {
    const port = String(await freePort());
    const program = join(dirname(require.resolve('@stoplight/prism-cli/package.json')), 'dist/index.js');
    const args = [
      program,
      'mock',
      document,
      '--port',
      port,
      '--host',
      '127.0.0.1',
      '--verboseLevel',
      'silent',
    ];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const mock = new PrismMock(child, `http://127.0.0.1:${port}`);
    try {
      await mock.waitUntilUp();
    } catch (error) {
      await mock[Symbol.asyncDispose]();
      throw error;
    }
    return mock;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  private async waitUntilUp(): Promise<void> {
    for (let waited = 0; waited < START_MS; waited += POLL_MS) {
      if (this.child.exitCode !== null) throw new Error(`Prism ended with ${String(this.child.exitCode)}.`);
      if (await isUp(this.url)) return;
      await delay(POLL_MS);
    }
    throw new Error(`Prism did not listen within ${String(START_MS)} ms.`);
  }
}

async function isUp(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
