import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A process of ours, and what it says line by line. */
export class Child {
  readonly lines: string[] = [];
  readonly ended: Promise<number | null>;
  private said = '';
  private readonly process: ChildProcess;
  private waiting: (() => void)[] = [];

  /** @param program a module beside `from` */
  constructor(program: string, from: string, options: readonly string[]) {
    const path = fileURLToPath(new URL(program, from));
    const child = spawn(process.execPath, [path, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.process = child;
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

  /** Ends it as the loss of power would, and gives all that it had said. */
  async kill(): Promise<readonly string[]> {
    this.process.kill('SIGKILL');
    await this.ended;
    return this.lines;
  }

  /** Why it failed; undefined where it did not. */
  async fault(): Promise<string | undefined> {
    const code = await this.ended;
    return code === 0
      ? undefined
      : `ended with ${String(code)}: ${this.said.trim().split('\n').slice(0, 8).join(' ')}`;
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
