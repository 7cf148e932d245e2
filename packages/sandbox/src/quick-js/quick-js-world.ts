import {
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  shouldInterruptAfterDeadline,
} from 'quickjs-emscripten-core';

import { isFileName } from '../file-name.js';
import type {
  FromWorker,
  ToWorker,
  WorkerAnswer,
  WorkerCall,
  WorkerFile,
  WorkerSettings,
} from './messages.js';
import { PRELUDE } from './prelude.js';

const FILE = 'code.js';

/** Bytes of stack for the interpreter; deeper recursion is an error of the code. */
const STACK = 512 * 1024;

/** The functions that the prelude makes for the world itself. */
type Helper = 'describe' | 'toJson' | 'parse';

type RunMessage = Extract<ToWorker, { readonly kind: 'run' }>;

/** One world of QuickJS: its variables outlive an execution if the worker does. */
export class QuickJsWorld {
  private readonly files = new Map<string, Uint8Array>();
  private readonly waiting = new Map<number, QuickJSDeferredPromise>();
  private unsent: WorkerCall[] = [];
  private written = new Map<string, Uint8Array>();
  private sent = { stdout: 0, stderr: 0 };
  private nextId = 0;
  private deadline = Infinity;
  /** The time that code may still run, in milliseconds; it does not run while it waits for a call. */
  private left = 0;
  private ending: ((isTimeout: boolean) => void) | undefined;
  private readonly helpers: Readonly<Record<Helper, QuickJSHandle>>;

  /** @param send takes the messages to the executor */
  constructor(
    private readonly vm: QuickJSContext,
    private readonly settings: Pick<WorkerSettings, 'memory' | 'maxOutput' | 'maxFiles'>,
    private readonly send: (message: FromWorker) => void,
  ) {
    vm.runtime.setMemoryLimit(settings.memory);
    vm.runtime.setMaxStackSize(STACK);
    vm.runtime.setInterruptHandler((runtime) => shouldInterruptAfterDeadline(this.deadline)(runtime));
    this.expose('__write', (stream, text) => {
      this.write(stream === 'stderr' ? 'stderr' : 'stdout', text ?? '');
      return undefined;
    });
    this.expose('__read', (name) => this.read(name ?? ''));
    this.expose('__save', (name, text) => {
      this.save(name ?? '', text ?? '');
      return undefined;
    });
    this.expose('__list', () => JSON.stringify([...this.files.keys()]));
    const made = vm.unwrapResult(vm.evalCode(PRELUDE, 'prelude.js', { type: 'global' }));
    this.helpers = {
      describe: vm.getProp(made, 'describe'),
      toJson: vm.getProp(made, 'toJson'),
      parse: vm.getProp(made, 'parse'),
    };
    made.dispose();
  }

  run({ code, timeout, files, functions }: RunMessage): void {
    this.left = timeout;
    this.resume();
    this.sent = { stdout: 0, stderr: 0 };
    this.written = new Map();
    for (const { name, data } of files) this.files.set(name, data);
    for (const name of functions) this.offer(name);
    const result = this.vm.evalCode(this.runnable(code), FILE, { type: 'global' });
    if (result.error) {
      this.fail(result.error);
      return;
    }
    this.settle(result.value);
  }

  /** Gives code the answers, one after another: what it does with one does not depend on those that come together. */
  answers(answers: readonly WorkerAnswer[]): void {
    this.resume();
    for (const answer of answers) {
      this.answer(answer);
      if (!this.runJobs()) return;
    }
    this.proceed();
  }

  private answer({ id, json, error }: WorkerAnswer): void {
    const deferred = this.waiting.get(id);
    if (!deferred) return;
    this.waiting.delete(id);
    const value = error === undefined ? this.parsed(json) : undefined;
    if (value)
      value.consume((handle) => {
        deferred.resolve(handle);
      });
    else
      this.vm.newError(error ?? 'the result does not fit the memory').consume((handle) => {
        deferred.reject(handle);
      });
    deferred.dispose();
  }

  private resume(): void {
    this.deadline = Date.now() + this.left;
  }

  /** A script keeps its variables, and its value is that of its last expression; code that awaits or returns is no script. */
  private runnable(code: string): string {
    if (this.compiles(code)) return code;
    let end = code.trimEnd().length;
    for (const place of endsOfStatements(code.slice(0, end))) {
      const [before, last] = [code.slice(0, place), code.slice(place, end)];
      // What does not belong there compiles in a text or a comment only.
      if (this.compiles(asyncBody(`${before} ]) ${last}`))) continue;
      const returning = asyncBody(`${before}return (${last}\n);`);
      if (this.compiles(returning)) return returning;
      if (before.endsWith(';') && this.isBlank(last)) end = place - 1;
    }
    return asyncBody(code);
  }

  /** True for nothing but space and comments: they stand before a value and behind one. */
  private isBlank(code: string): boolean {
    return this.compiles(asyncBody(`(${code}\n0)`)) && this.compiles(asyncBody(`(0${code}\n)`));
  }

  private compiles(code: string): boolean {
    const compiled = this.vm.evalCode(code, FILE, { type: 'global', compileOnly: true });
    const isValid = compiled.error === undefined;
    compiled.dispose();
    return isValid;
  }

  /** Follows a promise to its end. */
  private settle(value: QuickJSHandle): void {
    const { vm } = this;
    this.ending = (isStuck) => {
      const state = vm.getPromiseState(value);
      if (state.type === 'pending') {
        if (!isStuck) return;
        this.ending = undefined;
        this.write('stderr', 'Error: the code waits for a promise that nothing settles\n');
        this.done(false);
        return;
      }
      this.ending = undefined;
      if (state.type === 'rejected') this.fail(state.error);
      else this.succeed(state.value);
    };
    this.proceed();
  }

  /** Runs what is due, then ends, or asks for the calls that the code waits for. */
  private proceed(): void {
    if (!this.runJobs()) return;
    this.ending?.(this.waiting.size === 0);
    if (!this.ending) return;
    this.left = Math.max(0, this.deadline - Date.now());
    this.deadline = Infinity;
    this.sendCalls();
  }

  /** Runs what is due. Returns false if that has ended the code. */
  private runJobs(): boolean {
    if (!this.ending) return false;
    const jobs = this.vm.runtime.executePendingJobs();
    if (!jobs.error) {
      jobs.dispose();
      return true;
    }
    this.ending = undefined;
    this.fail(jobs.error);
    return false;
  }

  private sendCalls(): void {
    const calls = this.unsent;
    this.unsent = [];
    this.send({ kind: 'calls', calls });
  }

  private succeed(value: QuickJSHandle): void {
    const json = this.toJson(value);
    this.done(true, json);
  }

  private fail(error: QuickJSHandle): void {
    if (!this.isLate) this.write('stderr', `${this.describe(error)}\n`);
    this.done(false);
  }

  /** True if the interpreter was interrupted: whatever the code has made of it, it was stopped. */
  private get isLate(): boolean {
    return Date.now() >= this.deadline;
  }

  private done(isOk: boolean, json?: string): void {
    const files: WorkerFile[] = [...this.written].map(([name, data]) => ({ name, data }));
    const isTimeout = !isOk && this.isLate;
    this.deadline = Infinity;
    // Calls that the code did not wait for are made, too.
    if (this.unsent.length > 0) this.sendCalls();
    this.send({ kind: 'done', isOk, isTimeout, json, files });
  }

  /** The trace without the frames of the sandbox. */
  private describe(error: QuickJSHandle): string {
    const described = this.inWorld('describe', error) ?? 'Error';
    return described.replace(/\n\s*at [^\n]*prelude\.js[^\n]*/g, '').slice(0, 10_000);
  }

  private toJson(value: QuickJSHandle): string | undefined {
    const json = this.inWorld('toJson', value) ?? '';
    return json === '' ? undefined : json;
  }

  /** The text that a helper makes of a value; undefined if that fails, or takes too much memory. */
  private inWorld(helper: Helper, value: QuickJSHandle): string | undefined {
    const { vm } = this;
    const result = vm.callFunction(this.helpers[helper], vm.undefined, value);
    if (result.error) {
      result.error.dispose();
      return undefined;
    }
    const text = vm.typeof(result.value) === 'string' ? vm.getString(result.value) : undefined;
    result.value.dispose();
    return text;
  }

  /** The value of a JSON text; undefined if the memory is too small for it. */
  private parsed(json = 'null'): QuickJSHandle | undefined {
    const { vm } = this;
    const text = vm.newString(json);
    const result = vm.callFunction(this.helpers.parse, vm.undefined, text);
    text.dispose();
    if (!result.error) return result.value;
    result.error.dispose();
    return undefined;
  }

  /** A function of the host, of texts, which the prelude takes from the global object before any code runs. */
  private expose(name: string, work: (...texts: (string | undefined)[]) => string | undefined): void {
    const { vm } = this;
    const handle = vm.newFunction(name, (...args) => {
      const result = work(...args.map((arg) => vm.getString(arg)));
      return typeof result === 'string' ? vm.newString(result) : vm.undefined;
    });
    vm.setProp(vm.global, name, handle);
    handle.dispose();
  }

  private offer(name: string): void {
    const { vm } = this;
    const handle = vm.newFunction(name, (...given) => {
      const [args] = given;
      const id = this.nextId++;
      const json = args ? (this.toJson(args) ?? '{}') : '{}';
      const deferred = vm.newPromise();
      this.waiting.set(id, deferred);
      this.unsent.push({ id, name, json });
      return deferred.handle.dup();
    });
    vm.setProp(vm.global, name, handle);
    handle.dispose();
  }

  private write(stream: 'stdout' | 'stderr', text: string): void {
    const rest = this.settings.maxOutput - this.sent[stream];
    const bytes = Buffer.byteLength(text);
    this.sent[stream] += Math.min(bytes, Math.max(rest, 0));
    if (bytes <= rest) this.send({ kind: 'output', stream, text });
    else {
      if (rest > 0)
        this.send({ kind: 'output', stream, text: Buffer.from(text).subarray(0, rest).toString('utf8') });
      this.send({ kind: 'dropped', stream, bytes: bytes - Math.max(rest, 0) });
    }
  }

  private read(name: string): string {
    const data = this.files.get(name);
    if (!data) throw new Error(`there is no file ${JSON.stringify(name)}`);
    return Buffer.from(data).toString('utf8');
  }

  private save(name: string, text: string): void {
    if (!isFileName(name))
      throw new Error(`${JSON.stringify(name)} is no name of a file: there are no folders`);
    const data = Buffer.from(text);
    const others = [...this.files].filter(([other]) => other !== name);
    const bytes = others.reduce((sum, [, file]) => sum + file.byteLength, data.byteLength);
    if (bytes > this.settings.maxFiles)
      throw new Error(`the files have more than ${String(this.settings.maxFiles)} bytes`);
    this.files.set(name, data);
    this.written.set(name, data);
  }
}

function asyncBody(code: string): string {
  return `(async () => {${code}\n})()`;
}

/** How many places are tried for the beginning of the last statement. */
const MOST_PLACES = 30;

/** The places behind which the last statement may begin, the last first: behind semicolons and lines, and the beginning. */
function endsOfStatements(code: string): number[] {
  const ends = [...code.matchAll(/[;\n]/g)].map(({ index }) => index + 1).reverse();
  return [...ends.slice(0, MOST_PLACES), 0];
}
