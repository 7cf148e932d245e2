/**
 * Python in Deno: reads settings and programs from `stdin`, and writes messages to `stdout`. It gives up all permissions
 * before any code runs. It imports nothing, because Deno has no modules of Node.js here.
 */
import type { FromPyodide, PyodideFile, PyodideRun, PyodideSettings } from './messages.js';

/** What is used of Deno, whose types Node.js does not have. */
interface DenoGlobals {
  readonly Deno: {
    readonly stdin: { readSync(bytes: Uint8Array): number | null };
    readonly stdout: { writeSync(bytes: Uint8Array): number };
    readonly permissions: {
      revokeSync(permission: { readonly name: string }): unknown;
      querySync(permission: { readonly name: string }): { readonly state: string };
    };
    exit: (status: number) => never;
  };
  readonly WebAssembly: { readonly Memory: { readonly prototype: GrowableMemory } };
}

interface GrowableMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What is used of Pyodide. */
interface Pyodide {
  readonly FS: {
    writeFile(path: string, data: Uint8Array): void;
    readFile(path: string): Uint8Array;
    readdir(path: string): string[];
    lstat(path: string): { readonly mode: number; readonly size: number };
    isFile(mode: number): boolean;
  };
  readonly globals: { get(name: string): unknown };
  runPython(code: string): unknown;
  loadPackage(
    names: readonly string[],
    options: { readonly messageCallback: () => void; readonly errorCallback: (text: string) => void },
  ): Promise<readonly unknown[]>;
  setStdout(options: { write(bytes: Uint8Array): number }): void;
  setStderr(options: { write(bytes: Uint8Array): number }): void;
  setStdin(options: { stdin(): null }): void;
}

/** The function of Python that executes code. `callPromising` lets code wait, as `asyncio.run` does. */
interface Execute {
  callPromising(code: string): Promise<{ toJs(): [number, string | undefined] }>;
}

const { Deno, WebAssembly } = globalThis as unknown as DenoGlobals;
const { stdin, stdout } = Deno;
const { parse, stringify } = JSON;
const PERMISSIONS = ['read', 'write', 'net', 'env', 'run', 'ffi', 'sys', 'import'];
const FOLDER = '/home/pyodide';
const PAGE = 65_536;

function send(message: FromPyodide): void {
  let bytes: Uint8Array = new TextEncoder().encode(`${stringify(message)}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(stdout.writeSync(bytes));
}

/** Bounds the memory of Python, so that it gets a `MemoryError`. The limit of the operating system stands behind it. */
function limitMemory(bytes: number): void {
  const { prototype } = WebAssembly.Memory;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its object below
  const { grow } = prototype;
  prototype.grow = function (this: GrowableMemory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE > bytes) throw new RangeError('the memory limit is reached');
    return grow.call(this, pages);
  };
}

function toBase64(bytes: Uint8Array): string {
  return (bytes as Uint8Array & { toBase64(): string }).toBase64();
}

function fromBase64(text: string): Uint8Array {
  return (Uint8Array as unknown as { fromBase64(text: string): Uint8Array }).fromBase64(text);
}

/** What Python prints, up to the limit of each stream. */
class Outputs {
  private readonly sent = { stdout: 0, stderr: 0 };

  constructor(private readonly limit: number) {}

  clear(): void {
    this.sent.stdout = 0;
    this.sent.stderr = 0;
  }

  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): number {
    const kept = bytes.subarray(0, Math.max(0, this.limit - this.sent[stream]));
    this.sent[stream] += kept.length;
    if (kept.length > 0) send({ kind: 'output', stream, data: toBase64(kept) });
    if (kept.length < bytes.length) send({ kind: 'dropped', stream, bytes: bytes.length - kept.length });
    return bytes.length;
  }
}

/** Executes programs in one world of Python. */
class PythonWorld {
  private constructor(
    private readonly python: Pyodide,
    private readonly outputs: Outputs,
    private readonly maxFiles: number,
    private readonly execute: Execute,
  ) {}

  static async start({ folder, packages, memory, maxOutput, maxFiles }: PyodideSettings, program: string) {
    limitMemory(memory);
    const { loadPyodide } = (await import(`file://${folder}pyodide.mjs`)) as {
      loadPyodide: (options: object) => Promise<Pyodide>;
    };
    // What Python finds as the module `js`. It is no boundary: Deno's permissions are.

    const jsglobals = { Object, Array, Map, Set, Promise, Uint8Array, Date, Math, JSON };
    const python = await loadPyodide({ indexURL: folder, jsglobals });
    if (packages.length > 0) await loadPackages(python, packages);
    python.runPython(`${program}\nexecute_main = lambda code: execute(code, main_names)\n`);
    python.runPython("main_names = {'__name__': '__main__', '__builtins__': __builtins__}");
    python.runPython("sys.argv = ['main.py']\nsys.path.insert(0, os.getcwd())");
    const outputs = new Outputs(maxOutput);
    python.setStdin({ stdin: () => null });
    python.setStdout({ write: (bytes) => outputs.write('stdout', bytes) });
    python.setStderr({ write: (bytes) => outputs.write('stderr', bytes) });
    const execute = python.globals.get('execute_main') as Execute;
    return new PythonWorld(python, outputs, maxFiles, execute);
  }

  async run({ id, code, files }: PyodideRun): Promise<FromPyodide> {
    this.outputs.clear();
    const { FS } = this.python;
    const before = new Map(this.regularFiles());
    for (const { name, data } of files) {
      const bytes = fromBase64(data);
      FS.writeFile(`${FOLDER}/${name}`, bytes);
      before.set(name, bytes);
    }
    const [exitCode, json] = (await this.execute.callPromising(code)).toJs();
    const written = this.regularFiles().filter(([name, data]) => !isSame(data, before.get(name)));
    return { kind: 'done', id, exitCode, json, ...this.packed(written) };
  }

  private regularFiles(): [string, Uint8Array][] {
    const { FS } = this.python;
    const names = FS.readdir(FOLDER).filter((name) => FS.isFile(FS.lstat(`${FOLDER}/${name}`).mode));
    return names.map((name) => [name, FS.readFile(`${FOLDER}/${name}`)]);
  }

  private packed(written: readonly [string, Uint8Array][]) {
    const files: PyodideFile[] = [];
    let bytes = 0;
    let droppedFiles = 0;
    for (const [name, data] of written) {
      if (bytes + data.length > this.maxFiles) droppedFiles += data.length;
      else {
        bytes += data.length;
        files.push({ name, data: toBase64(data) });
      }
    }
    return { files, droppedFiles };
  }
}

async function loadPackages(python: Pyodide, packages: readonly string[]): Promise<void> {
  const faults: string[] = [];
  const errorCallback = (text: string): void => {
    faults.push(text);
  };
  await python.loadPackage(packages, { messageCallback: () => undefined, errorCallback });
  if (faults.length > 0) throw new Error(faults.join('; '));
}

function isSame(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return one.length === other?.length && one.every((byte, index) => byte === other[index]);
}

/** The timers that code starts, which end with its execution. */
class Timers {
  private readonly started = new Set<unknown>();
  private readonly clearTimeout = globalThis.clearTimeout;

  /** Takes the place of the timers that code finds. */
  install(): void {
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const start = globalThis[name] as (...args: unknown[]) => unknown;
      Object.defineProperty(globalThis, name, {
        value: (...args: unknown[]) => {
          const timer = start(...args);
          this.started.add(timer);
          return timer;
        },
      });
    }
  }

  clear(): void {
    for (const timer of this.started) this.clearTimeout(timer as number);
    this.started.clear();
  }
}

/** Takes away what else would go on beside an execution, or write to the host in its name. */
function closeRealm(): void {
  const silent = Object.fromEntries(Object.keys(console).map((name) => [name, () => undefined]));
  for (const name of ['Worker', 'SharedWorker', 'Deno', 'process', 'console'])
    Object.defineProperty(globalThis, name, {
      value: name === 'console' ? silent : undefined,
      writable: true,
    });
}

/** Gives up all permissions, and returns those that are left. */
function giveUp(): string[] {
  for (const name of PERMISSIONS) Deno.permissions.revokeSync({ name });
  return PERMISSIONS.filter((name) => Deno.permissions.querySync({ name }).state === 'granted');
}

/**
 * Reads the lines of the host. The thread stands still until one comes, so nothing that code has started goes on between two
 * executions: no timer, no promise, no task of Python.
 */
function* lines(): Generator<string> {
  const decoder = new TextDecoder();
  const bytes = new Uint8Array(65_536);
  let rest = '';
  for (let read = stdin.readSync(bytes); read !== null; read = stdin.readSync(bytes)) {
    const parts = (rest + decoder.decode(bytes.subarray(0, read), { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

const { exit } = Deno;
const timers = new Timers();
let world: PythonWorld | undefined;
try {
  for (const line of lines()) {
    if (!world) {
      const { program, ...settings } = parse(line) as PyodideSettings & { readonly program: string };
      world = await PythonWorld.start(settings, program);
      timers.install();
      send({ kind: 'ready', granted: giveUp() });
      closeRealm();
    } else {
      const done = await world.run(parse(line) as PyodideRun);
      timers.clear();
      send(done);
    }
  }
} catch (error) {
  send({ kind: 'failed', message: String(error).slice(0, 500) });
}
exit(0);
