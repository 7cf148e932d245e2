import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Milliseconds within which a sample says its addresses. */
const LIMIT_MS = 30_000;
/** A sample plays offline, and stores nothing. */
const WITHOUT_KEYS = { GEMINI_API_KEY: '', OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '' };

/** A sample that runs as a user starts it, until it is closed. */
export class SampleProcess implements AsyncDisposable {
  private constructor(
    private readonly child: ReturnType<typeof spawn>,
    /** The addresses that it has printed, in order. */
    readonly addresses: readonly string[],
  ) {}

  /**
   * Starts a sample.
   *
   * @param program a path, absolute or from the root of the repository
   * @param count how many lines with an address are waited for
   * @throws {Error} if it ends or says nothing
   */
  static async start(
    program: string,
    { args = [], env = {}, count = 1 }: { args?: string[]; env?: Record<string, string>; count?: number },
  ): Promise<SampleProcess> {
    const child = spawn(process.execPath, [resolve(ROOT, program), ...args], {
      env: { ...process.env, ...WITHOUT_KEYS, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const late = setTimeout(() => child.kill(), LIMIT_MS);
    const addresses: string[] = [];
    try {
      for await (const line of createInterface(child.stdout)) {
        const [address] = /http:\/\/\S+/.exec(line) ?? [];
        if (address !== undefined) addresses.push(address);
        if (addresses.length === count) return new SampleProcess(child, addresses);
      }
    } finally {
      clearTimeout(late);
    }
    throw new Error(`${program} ended with ${String(addresses.length)} of ${String(count)} addresses.`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
  }
}
