import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A process of ours, and what it says line by line. */
export class Child {
  readonly lines: string[] = [];
  readonly ended: Promise<number | null>;
  /** Writes a line to its standard input. */
  readonly tell: (line: string) => void;
  private said = '';
  private readonly process: ChildProcess;
  private waiting: (() => void)[] = [];

  /**
   * @param program a module beside `from`
   * @param node the Node.js that runs it
   */
  constructor(program: string, from: string, options: readonly string[], node = process.execPath) {
    const path = fileURLToPath(new URL(program, from));
    const child = spawn(node, [path, ...options], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.process = child;
    // A child that has ended is found by its exit code.
    child.stdin.on('error', () => undefined);
    this.tell = (line) => child.stdin.write(`${line}\n`);
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.said += text));
    const reader = createInterface(child.stdout);
    reader.on('line', (line) => {
      this.lines.push(line);
      this.wake();
    });
    this.ended = new Promise((resolve) => {
      child.once('close', (code) => {
        resolve(code);
        this.wake();
      });
    });
  }

  /** Waits until it has said so many lines, or has ended. */
  async untilLines(count: number): Promise<void> {
    while (this.lines.length < count && this.process.exitCode === null && this.process.signalCode === null) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /**
   * Ends it as the loss of power would.
   *
   * @returns why it had ended by itself before; undefined if it was killed
   */
  async kill(): Promise<string | undefined> {
    this.process.kill('SIGKILL');
    const code = await this.ended;
    return code === null ? undefined : this.describe(code);
  }

  /** Stops it, as a machine that stands still, or lets it go on. */
  freeze(isFrozen: boolean): void {
    this.process.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Asks it to end, as a supervisor does. */
  terminate(): void {
    this.process.kill('SIGTERM');
  }

  /** Why it failed; undefined where it did not. */
  async fault(): Promise<string | undefined> {
    const code = await this.ended;
    return code === 0 ? undefined : this.describe(code);
  }

  private describe(code: number | null): string {
    return `ended by itself with ${String(code)}: ${this.said.trim().split('\n').slice(0, 8).join(' ')}`;
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
