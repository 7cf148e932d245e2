import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { buildSchemas, checkProject } from '@adorn/compiler';
import { buildSync } from 'esbuild';
import ts from 'typescript';

/** Programs are compiled and run here, on a machine that may have other work. */
const SLOW = 120_000;

/** A program with one slip of a beginner in it, and what it is told: what happened, where, and what to do. */
interface Mistake {
  readonly slip: string;
  readonly source: string;
  /** Absent for a warning of `adorn check`. */
  readonly code?: string;
  /** `<root>` stands for the folder of the program. */
  readonly message: string;
}

/** Told by `adorn check`, and by `createRunner` where they have a code. */
const CHECKED: readonly Mistake[] = [
  {
    slip: 'a private tool',
    source: 'class Orders { @tool private find(id: string) { return id; } } export const tools = [Orders];',
    code: 'TOOL_MISPLACED',
    message:
      '@tool decorates Orders.find, which is private (<root>/checked/src/mistake-0.ts:2). A tool must be a public instance method: make it one, or remove @tool.',
  },
  {
    slip: 'a protected tool',
    source: 'class Orders { @tool protected find(id: string) { return id; } } export const tools = [Orders];',
    code: 'TOOL_MISPLACED',
    message:
      '@tool decorates Orders.find, which is protected (<root>/checked/src/mistake-1.ts:2). A tool must be a public instance method: make it one, or remove @tool.',
  },
  {
    slip: 'a parameter without a type',
    source: 'class Orders { @tool find(id) { return id; } } export const tools = [Orders];',
    code: 'TYPE_NOT_REPRESENTABLE',
    message:
      'Parameter "id" of Orders.find has the type "any" (<root>/checked/src/mistake-2.ts:2): it has no type, and a tool method without types has no schema. Write its type, or "unknown" for any JSON.',
  },
  {
    slip: 'a Map as a parameter',
    source:
      'class Orders { @tool find(ids: Map<string, number>) { return ids.size; } } export const tools = [Orders];',
    code: 'TYPE_NOT_REPRESENTABLE',
    message:
      'Parameter "ids" of Orders.find has the type "Map<string, number>" (<root>/checked/src/mistake-3.ts:2): JSON has no form for it. Write Record<string, …>, or an array of entries.',
  },
  {
    slip: 'a Promise as a parameter',
    source: 'class Orders { @tool find(id: Promise<string>) { return id; } } export const tools = [Orders];',
    code: 'TYPE_NOT_REPRESENTABLE',
    message:
      'Parameter "id" of Orders.find has the type "Promise<string>" (<root>/checked/src/mistake-4.ts:2): JSON has no form for it. Write the type of the value it brings.',
  },
  {
    slip: 'a function as a parameter',
    source:
      'class Orders { @tool find(by: (id: string) => boolean) { return by("a"); } } export const tools = [Orders];',
    code: 'TYPE_NOT_REPRESENTABLE',
    message:
      'Parameter "by" of Orders.find has the type "(id: string) => boolean" (<root>/checked/src/mistake-5.ts:2): it is a function. Write the data that the function would be called with.',
  },
  {
    slip: 'a generic parameter',
    source: 'class Orders { @tool find<T>(by: T) { return by; } } export const tools = [Orders];',
    code: 'TYPE_NOT_REPRESENTABLE',
    message:
      'Parameter "by" of Orders.find has the type "T" (<root>/checked/src/mistake-6.ts:2): it is known only where the method is called. Write the type itself.',
  },
  {
    slip: 'a type that is not found',
    source: 'class Orders { @tool find(by: Missing) { return 1; } } export const tools = [Orders];',
    code: 'TYPE_NOT_REPRESENTABLE',
    message:
      'Parameter "by" of Orders.find has the type "Missing" (<root>/checked/src/mistake-7.ts:2): TypeScript cannot find it. Correct the import, or install what it names.',
  },
  {
    slip: 'a tag without its value',
    source:
      'class Orders { /** @param n Number. @minimum abc */ @tool find(n: number) { return n; } } export const tools = [Orders];',
    code: 'SCHEMA_INVALID',
    message:
      'The schema derived for Orders.find (<root>/checked/src/mistake-8.ts:2) is not valid: at "n", @minimum says "abc", where a number belongs. Correct the tags of its doc comment, such as @minimum or @pattern.',
  },
  {
    slip: 'a Map as a result',
    source:
      'class Orders { @tool find(id: string) { return new Map([[id, 1]]); } } export const tools = [Orders];',
    code: 'TYPE_NOT_REPRESENTABLE',
    message:
      'The result of Orders.find has the type "Map<string, number>" (<root>/checked/src/mistake-9.ts:2): JSON has no form for it. Return a plain object: Object.fromEntries(…).',
  },
  {
    slip: 'anything as a parameter',
    source:
      'class Orders { /** Find orders by a filter. */ @tool findOrders(/** The filter. */ by: unknown) { return 1; } } export const tools = [Orders];',
    message:
      'Parameter "by" of Orders.findOrders may be anything. Write the type that the method works with.',
  },
  {
    slip: 'overloads',
    source:
      'class Orders { find(id: string): string; find(n: number): string; /** Find an order. @param id Its number. */ @tool find(id: string | number): string { return String(id); } } export const tools = [Orders];',
    message:
      'Orders.find has 2 overloads, and the model is told only the signature of the implementation. Write one signature, or make each overload a tool of its own.',
  },
  {
    slip: 'a @param of no parameter',
    source:
      'class Orders { /** Find an order. @param number Its number. */ @tool find(/** Its number. */ id: string) { return id; } } export const tools = [Orders];',
    message:
      'The doc comment of Orders.find describes a parameter "number", and there is none. Correct the name: the parameters are id.',
  },
  {
    slip: 'a comment that is no doc comment',
    source:
      'class Orders { /* Find an order. */ @tool find(/** Its number. */ id: string) { return id; } } export const tools = [Orders];',
    message: 'Orders.find has no description. Write a doc comment that says when to use it.',
  },
  {
    slip: 'a Set as a parameter',
    source:
      'class Orders { @tool find(ids: Set<string>) { return ids.size; } } export const tools = [Orders];',
    code: 'TYPE_NOT_REPRESENTABLE',
    message:
      'Parameter "ids" of Orders.find has the type "Set<string>" (<root>/checked/src/mistake-14.ts:2): JSON has no form for it. Write an array; @uniqueItems forbids doubles.',
  },
];

/** Told by `createRunner`, after `adorn build`. */
const BUILT: readonly Mistake[] = [
  {
    slip: 'two tools of one name',
    source:
      'class Orders { @tool find(id: string) { return id; } } class Bills { @tool find(id: string) { return id; } } export const tools = [Orders, Bills];',
    code: 'TOOL_NAME_TAKEN',
    message:
      "Agent \"root\" has two tools named \"find\": Orders.find and Bills.find. Rename one with @tool({ name: '…' }), remove it from the agent's tools, or give the tools of a toolset a prefix: withPrefix(toolset, '…').",
  },
  {
    slip: 'two agents of one name',
    source: 'export const subAgents = [defineAgent({ name: "clerk" }), defineAgent({ name: "clerk" })];',
    code: 'AGENT_NAME_TAKEN',
    message:
      'Two agents are named "clerk": clerk and clerk. Rename one of them with @agent({ name: \'…\' }).',
  },
  {
    slip: 'a class without @tool',
    source: 'class Orders { find(id: string) { return id; } } export const tools = [Orders];',
    code: 'NOT_A_TOOL',
    message:
      'Entry 0 in the tools of root is Orders, which has no @tool methods. A tool is a class with @tool methods, a function, an instance of Tool such as a FunctionTool, a Toolset, a tool of LangChain, or a record of tools of the AI SDK.',
  },
  {
    slip: 'an instance among the tools',
    source: 'class Orders { @tool find(id: string) { return id; } } export const tools = [new Orders()];',
    code: 'NOT_A_TOOL',
    message:
      'Entry 0 in the tools of root is an instance of Orders, which has @tool methods: list the class Orders itself. A tool is a class with @tool methods, a function, an instance of Tool such as a FunctionTool, a Toolset, a tool of LangChain, or a record of tools of the AI SDK.',
  },
  {
    slip: 'an agent without @agent',
    source: 'class Clerk extends LlmAgent {} export const subAgents = [Clerk];',
    code: 'NOT_AN_AGENT',
    message:
      'Clerk has neither @agent nor a member of its own, so its model would be told nothing. Put @agent({ … }) before the class, or override a member such as instruction.',
  },
  {
    slip: 'a service among the sub-agents',
    source: 'class Orders { @tool find(id: string) { return id; } } export const subAgents = [Orders];',
    code: 'NOT_AN_AGENT',
    message:
      'Class Orders is not an agent class, but is used as a sub-agent of root. Pass a class that extends LlmAgent or BaseAgent; list a class that only has @tool methods under tools.',
  },
  {
    slip: 'a symbol that nobody bound',
    source:
      'const STORE = Symbol("Store"); class Orders { constructor(@inject(STORE) readonly store: unknown) {} @tool find(id: string) { return id; } } export const tools = [Orders];',
    code: 'SERVICE_NOT_BOUND',
    message:
      'Orders needs Symbol(Store) (constructor parameter 1), but nothing is bound to it. Bind it in a module: createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { bind(Symbol(Store)).to(…); })] }).',
  },
  {
    slip: 'an abstract class that nobody bound',
    source:
      'abstract class Store { abstract get(id: string): string; } class Orders { constructor(@inject(Store) readonly store: Store) {} @tool find(id: string) { return id; } } export const tools = [Orders];',
    code: 'SERVICE_NOT_BOUND',
    message:
      'Orders needs Store (constructor parameter 1), which is an abstract class, but nothing is bound to it. Bind it in a module: createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { bind(Store).to(…); })] }).',
  },
  {
    slip: 'a constructor parameter without @inject',
    source:
      'class Orders { constructor(readonly url: string) {} @tool find(id: string) { return id; } } export const tools = [Orders];',
    code: 'SERVICE_NOT_BOUND',
    message:
      'Orders does not say which service to inject as its constructor parameter 1: an interface does not exist at run time, and esbuild and tsx emit no types. Add @inject(Token).',
  },
  {
    slip: 'a misspelt option',
    source:
      'class Orders { @tool({ confrim: true } as object) find(id: string) { return id; } } export const tools = [Orders];',
    code: 'TOOL_CONFIG_INVALID',
    message:
      'The tool "find": there is no option confrim. Did you mean confirm? Valid: auth, background, cache, checkTimeout, concurrency, confirm, description, effect, exposeErrors, idempotent, longRunning, maxResultBytes, name, parameters, rateLimit, reconcile, retry, run, sensitive, sequential, timeout, unknownArguments, untrusted.',
  },
  {
    slip: 'a container of inversify 6',
    source: "import { Container } from 'inversify-6'; export const container = new Container();",
    code: 'NOT_A_CONTAINER',
    message:
      'The container passed to createRunner is not an inversify 8 container. Pass a Container of inversify 8, or pass modules instead.',
  },
  {
    slip: 'a container of inversify 7',
    source: "import { Container } from 'inversify-7'; export const container = new Container();",
    code: 'NOT_A_CONTAINER',
    message:
      'The container passed to createRunner is not an inversify 8 container. Pass a Container of inversify 8, or pass modules instead.',
  },
  {
    slip: 'no container',
    source: 'export const container = { get() {}, bind() {} };',
    code: 'NOT_A_CONTAINER',
    message:
      'The container passed to createRunner is not an inversify 8 container. Pass a Container of inversify 8, or pass modules instead.',
  },
];

/** Told by `createRunner` of files that esbuild compiled, as tsx and vite do, while nothing is built. */
const COMPILED_BY_ESBUILD: readonly Mistake[] = [
  {
    slip: 'a class as a parameter, without class-validator',
    source:
      'class Address { street = ""; label() { return this.street; } } class Orders { @tool send(to: Address) { return to.label(); } } export const tools = [Orders];',
    code: 'SCHEMA_INVALID',
    message:
      'A parameter of Orders.send has the class type Address, but the class is unknown at run time: esbuild, tsx and type stripping emit no types. If it is only data, make it an interface. Otherwise decorate a property of it with class-validator, run "adorn build" where the file of the tool imports it without "import type", or compile with tsc and emitDecoratorMetadata.',
  },
  {
    slip: 'an abstract class that nobody bound',
    source:
      'abstract class Store { abstract get(id: string): string; } class Orders { constructor(@inject(Store) readonly store: Store) {} @tool find(id: string) { return id; } } export const tools = [Orders];',
    code: 'SERVICE_NOT_BOUND',
    message:
      'Orders needs Store (constructor parameter 1), which is an abstract class, but nothing is bound to it. Bind it in a module: createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { bind(Store).to(…); })] }).',
  },
  {
    slip: 'a constructor parameter without @inject',
    source:
      'class Store {} class Orders { constructor(readonly store: Store) {} @tool find(id: string) { return id; } } export const tools = [Orders];',
    code: 'SERVICE_NOT_BOUND',
    message:
      'Orders does not say which service to inject as its constructor parameter 1: an interface does not exist at run time, and esbuild and tsx emit no types. Add @inject(Token).',
  },
];

const TESTING = "import { callsTool, says, ScriptedModel } from '@adorn/testing';\n";

/** What is no mistake: tsc emits no types for decorators here, is not strict, and nothing imports reflect-metadata. */
const WORKING: readonly Mistake[] = [
  {
    slip: 'a result that is undefined',
    source:
      'class Orders { @tool find(id: string) { return undefined; } } export const tools = [Orders]; ' +
      'export const model = new ScriptedModel(callsTool("find", { id: "A" }), says("Done."));',
    message: '[{"result":null}] Done.',
  },
  {
    slip: 'a method that returns nothing',
    source:
      'class Orders { @tool async find(id: string): Promise<void> {} } export const tools = [Orders]; ' +
      'export const model = new ScriptedModel(callsTool("find", { id: "A" }), says("Done."));',
    message: '[{"result":null}] Done.',
  },
  {
    slip: 'a service that is injected, and null where the compiler is not strict',
    source:
      'class Store { name = "A"; } class Orders { constructor(@inject(Store) readonly store: Store) {} ' +
      '@tool find(id: string | null) { return this.store.name + id; } } export const tools = [Orders]; ' +
      'export const model = new ScriptedModel(callsTool("find", { id: null }), says("Done."));',
    message: '[{"result":"Anull"}] Done.',
  },
];

/** Told when the file is loaded, or when its model is asked. */
const LOADED: readonly Mistake[] = [
  {
    slip: 'a static tool',
    source: 'class Orders { @tool static find(id: string) { return id; } } export const tools = [Orders];',
    code: 'TOOL_MISPLACED',
    message:
      '@tool decorates Orders.find, which is static. A tool must be a public instance method: make it one, or remove @tool.',
  },
  {
    slip: 'an arrow function as a tool',
    source: 'class Orders { @tool find = (id: string) => id; } export const tools = [Orders];',
    code: 'TOOL_MISPLACED',
    message:
      '@tool decorates Orders.find, which is not a method. A tool must be a public instance method: make it one, or remove @tool.',
  },
  {
    slip: 'no model',
    source: 'export const agent = {}; export const model = undefined;',
    code: 'MODEL_MISSING',
    message:
      "root has no model, and neither has any of its parents. Set one with @agent({ model: 'gemini-2.5-flash' }), pass model to createRunner, or bind Model in a module.",
  },
  {
    slip: 'no key',
    source: 'export const agent = { model: "gemini-2.5-flash" }; export const model = undefined;',
    code: 'MODEL_UNAVAILABLE',
    message:
      'Gemini cannot be called: there is no API key. Set GEMINI_API_KEY, or pass apiKey to new GeminiModel({ … }), or use Vertex AI (GOOGLE_GENAI_USE_VERTEXAI=true with GOOGLE_CLOUD_PROJECT), or give the agent another model.',
  },
];

const WITHOUT_OPTION: Mistake = {
  slip: 'no experimentalDecorators',
  source: 'class Orders { @tool find(id: string) { return id; } } export const tools = [Orders];',
  code: 'EXPERIMENTAL_DECORATORS_MISSING',
  message:
    '@tool on the method "find" (<root>/standard/build/mistake-0.js) was called as a standard decorator, because its file was compiled without "experimentalDecorators". Set "experimentalDecorators": true in the "compilerOptions" of tsconfig.json: tsc, tsx, esbuild and Vite read it there. The "include" of that tsconfig.json must cover the file.',
};
const WITHOUT_MAP: Mistake = {
  slip: 'a bundle without a source map',
  source: 'class Orders { @tool find(id: string) { return id; } } export const tools = [Orders];',
  code: 'SCHEMA_MISSING',
  message:
    'There is no schema for the tools of Orders (find): no source, or more than one, that declares it was found for <root>/unmapped/build/mistake-0.js: see its source map, and whether names are shortened. Run "adorn build" after tsc, bundle with the plugin (adorn() of "@adorn/compiler/vite", "/esbuild", "/rollup", "/rolldown" or "/webpack"), install @adorn/compiler as a dev dependency to derive schemas in development, or write the schema: @tool({ parameters }) or defineTool({ parameters }).',
};
const IN_PRODUCTION: Mistake = {
  slip: 'a production that was not built',
  source: 'class Orders { @tool find(id: string) { return id; } } export const tools = [Orders];',
  code: 'SCHEMA_MISSING',
  message:
    'There is no schema for the tools of Orders (find): in production it is not derived, and "adorn build" has not written it. Run "adorn build" after tsc, bundle with the plugin (adorn() of "@adorn/compiler/vite", "/esbuild", "/rollup", "/rolldown" or "/webpack"), install @adorn/compiler as a dev dependency to derive schemas in development, or write the schema: @tool({ parameters }) or defineTool({ parameters }).',
};

const IMPORTS = "import { createRunner, defineAgent, inject, LlmAgent, tool } from 'adorn';\n";

/** Each program offers what the root agent and its runner are given. */
const RUN = `
import { createRunner, defineAgent } from 'adorn';
import { says, ScriptedModel } from '@adorn/testing';

const told = [];
for (const file of process.argv.slice(2)) {
  try {
    const { tools = [], subAgents = [], agent, container, ...rest } = await import(file);
    const model = 'model' in rest ? rest.model : new ScriptedModel(says('Done.'));
    const root = defineAgent({ name: 'root', tools, subAgents, ...agent });
    const runner = await createRunner(root, { ...(model && { model }), ...(container && { container }) });
    const text = await runner.ask('Hello', { userId: 'ada', sessionId: 's1' });
    const session = await runner.sessions.getSession({ appName: 'root', userId: 'ada', sessionId: 's1' });
    const responses = session.events.flatMap((event) => event.functionResponses.map(({ response }) => response));
    told.push({ message: JSON.stringify(responses) + ' ' + text });
  } catch ({ code, message }) {
    told.push({ code, message });
  }
}
console.log(JSON.stringify(told));
`;

describe('the mistakes of a first hour are told with what happened, where, and what to do', () => {
  mkdirSync(resolve('packages/cli/build'), { recursive: true });
  const root = realpathSync(mkdtempSync(resolve('packages/cli/build/mistakes-')));
  beforeAll(() => {
    write(root, 'package.json', JSON.stringify({ name: 'mistakes', type: 'module' }));
    write(root, 'run.mjs', RUN);
  });
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it(
    'by adorn check',
    async () => {
      const files = CHECKED.map((mistake, index) => compile(root, 'checked', mistake, index));

      const { diagnostics } = await checkProject({ project: join(root, 'checked') });

      const told = files.map(({ source }) => diagnostics.findLast(({ file }) => file === source));
      expect(
        told.map((one) => ({
          code: one?.code,
          message: shown(root, `${one?.message ?? ''} ${one?.cure ?? ''}`.trim()),
        })),
      ).toEqual(CHECKED.map(({ code, message }) => ({ code, message })));
    },
    SLOW,
  );

  it(
    'by createRunner',
    async () => {
      const files = BUILT.map((mistake, index) => compile(root, 'built', mistake, index));
      await buildSchemas({ project: join(root, 'built') });

      expect(run(root, files)).toEqual(BUILT.map(({ code, message }) => ({ code, message })));
    },
    SLOW,
  );

  it(
    'when a file is loaded or a model is asked',
    () => {
      const files = LOADED.map((mistake, index) => compile(root, 'loaded', mistake, index));
      const standard = compile(root, 'standard', WITHOUT_OPTION, 0, false);
      const expected = [...LOADED, WITHOUT_OPTION].map(({ code, message }) => ({ code, message }));

      expect(run(root, [...files, standard])).toEqual(expected);
    },
    SLOW,
  );

  it(
    'by createRunner, of a file that esbuild compiled',
    () => {
      const files = COMPILED_BY_ESBUILD.map((mistake, index) =>
        compileByEsbuild(root, 'esbuild', mistake, index),
      );

      expect(run(root, files)).toEqual(COMPILED_BY_ESBUILD.map(({ code, message }) => ({ code, message })));
    },
    SLOW,
  );

  it(
    'and what is none works',
    async () => {
      const files = WORKING.map((one, index) =>
        compile(root, 'working', { ...one, source: TESTING + one.source }, index),
      );
      await buildSchemas({ project: join(root, 'working') });

      expect(run(root, files)).toEqual(WORKING.map(({ message }) => ({ message })));
    },
    SLOW,
  );

  it(
    'in a bundle of esbuild without the plugin',
    () => {
      const file = compileByEsbuild(root, 'bundled', IN_PRODUCTION, 0);
      const unmapped = compileByEsbuild(root, 'unmapped', WITHOUT_MAP, 0, { sourcemap: false });
      const standard = compileByEsbuild(root, 'lowered', WITHOUT_OPTION, 0, {
        experimentalDecorators: false,
      });
      const { code, message } = IN_PRODUCTION;

      expect(run(root, [file], { NODE_ENV: 'production' })).toEqual([{ code, message }]);
      expect(run(root, [unmapped, standard])).toEqual(
        [WITHOUT_MAP, WITHOUT_OPTION].map(({ code, message }) => ({
          code,
          message: message.replace('standard/build', 'lowered/build'),
        })),
      );
    },
    SLOW,
  );

  it(
    'in production',
    () => {
      const file = compile(root, 'production', IN_PRODUCTION, 0);
      const { code, message } = IN_PRODUCTION;

      expect(run(root, [file], { NODE_ENV: 'production' })).toEqual([{ code, message }]);
    },
    SLOW,
  );
});

interface Compiled {
  readonly source: string;
  readonly emitted: string;
}

/** Writes a program of a project, and what tsc emits for it, whatever its types are worth. */
function compile(
  root: string,
  project: string,
  { source }: Mistake,
  index: number,
  experimentalDecorators = true,
): Compiled {
  const compilerOptions = { target: 'ES2022', module: 'NodeNext', experimentalDecorators, types: [] };
  const settings = {
    compilerOptions: { ...compilerOptions, rootDir: 'src', outDir: 'build' },
    include: ['src'],
  };
  write(root, `${project}/tsconfig.json`, JSON.stringify(settings));
  const name = `mistake-${String(index)}`;
  const text = IMPORTS + source;
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, experimentalDecorators },
  });
  return {
    source: write(root, `${project}/src/${name}.ts`, text),
    emitted: write(root, `${project}/build/${name}.js`, outputText),
  };
}

/** Writes a program of a project, and its bundle without the plugin. tsx and vite compile each file by esbuild too. */
function compileByEsbuild(
  root: string,
  project: string,
  mistake: Mistake,
  index: number,
  { sourcemap = true, experimentalDecorators = true } = {},
): Compiled {
  const { source, emitted } = compile(root, project, mistake, index, experimentalDecorators);
  buildSync({
    entryPoints: [source],
    outfile: emitted,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap,
    logLevel: 'silent',
  });
  return { source, emitted };
}

function write(root: string, path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** What the programs are told, each in turn. */
function run(
  root: string,
  files: readonly Compiled[],
  settings: Readonly<Record<string, string>> = {},
): unknown {
  const { GEMINI_API_KEY: _key, GOOGLE_API_KEY: _otherKey, NODE_ENV: _mode, ...env } = process.env;
  const programs = files.map(({ emitted }) => emitted);
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'run.mjs'), ...programs], {
    encoding: 'utf8',
    env: { ...env, ...settings },
  });
  const last = stdout.trim().split('\n').at(-1) ?? '';
  if (last === '') throw new Error(stderr);
  return JSON.parse(shown(root, last));
}

function shown(root: string, text: string): string {
  return text.replaceAll(root, '<root>');
}
