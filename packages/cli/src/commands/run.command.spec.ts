/** @slow */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { ended } from './project.fixture.js';

/** The compiler starts here, on a machine that may have other work. */
const SLOW = 60_000;

const ORDERS = `
import { inject, tool } from 'adorn';
import type { Id } from './id.js';

export abstract class Ledger { abstract stateOf(id: Id): string; }

export class Orders {
  constructor(@inject(Ledger) private readonly ledger: Ledger) {}

  /** Finds an order. @param id The order's number, such as "W1". */
  @tool
  findOrder(id: Id): { state: string } { return { state: this.ledger.stateOf(id) }; }
}
`;

const AGENT = `
import 'reflect-metadata';
import { agent, ContainerModule, LlmAgent } from 'adorn';
import { Ledger, Orders } from './orders.js';

class Paid extends Ledger { stateOf(): string { return 'PAID'; } }

export const modules = [new ContainerModule(({ bind }) => { bind(Ledger).to(Paid); })];

/** Helps with orders. */
@agent({ instruction: 'Be brief.', tools: [Orders] })
export class Desk extends LlmAgent {}
`;

/** A program: it uses its agent itself. */
const PROGRAM = `
import { says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent } from 'adorn';

/** A desk. */
@agent({
  instruction: 'Be kind.',
})
class Desk extends LlmAgent {}

await using runner = await createRunner(Desk, { model: new ScriptedModel(says('hello')) });
console.log(await runner.ask('x', { userId: 'u' }));
`;

/** A program whose agents have no tools with schemas. */
const COORDINATOR = `
import { says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, LlmAgent } from 'adorn';

/** Greets the user warmly. */
@agent({ instruction: 'Greet.' })
class Greeter extends LlmAgent {}

/** Finds sources on a topic. */
@agent({ instruction: 'Find.' })
class Researcher extends LlmAgent {}

/** Routes each request. */
@agent({ subAgents: [Greeter], tools: [Researcher] })
class Coordinator extends LlmAgent {}

const model = new ScriptedModel(says('x'));
await using runner = await createRunner(Coordinator, { model });
await runner.ask('hi', { userId: 'u' });
const { systemInstruction, tools } = model.requests[0]!.config as any;
console.log(systemInstruction);
for (const { name, description } of tools[0].functionDeclarations) console.log(name + ': ' + description);
`;

describe('adorn run', () => {
  // One project for all: what was derived from the same sources is not derived again.
  let folder: string;
  beforeAll(async () => {
    await mkdir('packages/cli/build', { recursive: true });
    // Inside of this package, from where the packages of Adorn are found.
    folder = await mkdtemp(resolve('packages/cli/build/run-'));
    const decorators = { experimentalDecorators: true, emitDecoratorMetadata: true };
    // Declarations of browsers and of other packages would be read for nothing.
    const compilerOptions = { ...decorators, module: 'NodeNext', lib: ['ES2022'], types: [] };
    await write('package.json', '{"type":"module"}');
    await write('tsconfig.json', JSON.stringify({ compilerOptions }));
    await write('src/id.ts', 'export type Id = string;');
    await write('src/orders.ts', ORDERS);
    await write('src/desk.agent.ts', AGENT);
    await write('script.txt', 'find order W1\n');
  });
  afterEach(async () => {
    for (const name of ['src/main.ts', 'src/runner.ts']) await rm(join(folder, name), { force: true });
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function write(name: string, content: string): Promise<void> {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }

  function adornRun(...args: string[]) {
    const { GEMINI_API_KEY: _key, ...env } = process.env;
    return spawn(process.execPath, [resolve('packages/cli/bin/adorn.js'), 'run', ...args], {
      cwd: folder,
      env: { ...env, NODE_ENV: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  it(
    'talks to an agent that is TypeScript, with the modules that it exports',
    async () => {
      const child = adornRun('--script', 'script.txt');
      const { output, errors } = await ended(child);

      expect(errors).toBe('');
      expect(output).toContain('Model: offline');
      expect(output).toMatch(/→ find_order\(id: ".*"\)/);
      expect(output).toContain('PAID');
    },
    SLOW,
  );

  it(
    'compiles one file, and derives no schema, after an edit in the body of a method',
    async () => {
      const cache = join(folder, 'node_modules/.cache/adorn');
      await ended(adornRun('--script', 'script.txt'));
      for (const name of await readdir(cache)) await utimes(join(cache, name), 1, 1);
      const written = async (): Promise<string[]> => {
        const names = await readdir(cache);
        const times = await Promise.all(names.map(async (name) => (await stat(join(cache, name))).mtimeMs));
        return names.filter((_name, index) => times[index] !== 1000);
      };

      await ended(adornRun('--script', 'script.txt'));
      expect(await written()).toEqual([]);

      await write('src/orders.ts', ORDERS.replace('stateOf(id)', "stateOf(id) + ' TWICE'"));
      const { output } = await ended(adornRun('--script', 'script.txt'));
      expect(output).toContain('PAID TWICE');
      expect(await written()).toEqual([expect.stringMatching(/\.run\.json$/)]);
      await write('src/orders.ts', ORDERS);
    },
    SLOW,
  );

  it(
    'tells of an error in a program by the line of its source',
    async () => {
      await write('src/main.ts', `${PROGRAM}throw new TypeError('no more');\n`);
      const { output, errors, code } = await ended(adornRun('src/main.ts'));

      expect(output).toBe('hello\n');
      expect(errors).toContain(`TypeError: no more (src/main.ts:${String(PROGRAM.split('\n').length)})`);
      expect(code).toBe(1);
    },
    SLOW,
  );

  it(
    'runs a program that exports nothing, and reads the doc comments of its agents though no tool needs a schema',
    async () => {
      await write('src/main.ts', COORDINATOR);
      const { output, errors, code } = await ended(adornRun('src/main.ts'));

      expect(code).toBe(0);
      expect(output).toContain('- greeter: Greets the user warmly.');
      expect(output).toContain('researcher: Finds sources on a topic.');
      expect(errors).toBe(
        'adorn: src/main.ts exports nothing and was run as a program. Export an agent to talk to it.\n',
      );
    },
    SLOW,
  );

  it(
    'refuses an option that belongs to the runner which the file exports',
    async () => {
      await write(
        'src/runner.ts',
        `import { createRunner } from 'adorn';\nimport { OfflineModel } from '@adorn/testing';\nimport { Desk, modules } from './desk.agent.js';\nexport const runner = createRunner(Desk, { modules, model: new OfflineModel() });`,
      );
      const child = adornRun('src/runner.ts', '--store', 'chats.db');
      const { errors, code } = await ended(child);

      expect(errors).toContain('src/runner.ts exports a runner, which has its own store. Leave --store out');
      expect(code).toBe(2);
    },
    SLOW,
  );

  it(
    'starts again when a file that it loaded changes',
    async () => {
      const child = adornRun('--script', 'script.txt', '--watch');
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      await lineWith(lines, 'PAID');

      await write('src/desk.agent.ts', AGENT.replace("'PAID'", "'SHIPPED'"));
      await lineWith(lines, 'SHIPPED');

      child.kill('SIGTERM');
      await once(child, 'exit');
    },
    SLOW,
  );
});

async function lineWith(lines: AsyncIterator<string>, part: string): Promise<void> {
  for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
    if (line.value.includes(part)) return;
  }
  throw new Error(`No line has ${part}.`);
}
