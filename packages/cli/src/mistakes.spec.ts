/** @slow */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve, relative } from 'node:path';

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
      'Orders needs Symbol(Store) (constructor parameter 1), but nothing is bound to it. Bind it in a module: createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { bind(Symbol(Store)).to(…); })] }), or, for the command line, export const modules = […] beside the agent.',
  },
  {
    slip: 'an abstract class that nobody bound',
    source:
      'abstract class Store { abstract get(id: string): string; } class Orders { constructor(@inject(Store) readonly store: Store) {} @tool find(id: string) { return id; } } export const tools = [Orders];',
    code: 'SERVICE_NOT_BOUND',
    message:
      'Orders needs Store (constructor parameter 1), which is an abstract class, but nothing is bound to it. Bind it in a module: createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { bind(Store).to(…); })] }), or, for the command line, export const modules = […] beside the agent.',
  },
  {
    slip: 'a constructor parameter without @inject',
    source:
      'class Orders { constructor(readonly url: string) {} @tool find(id: string) { return id; } } export const tools = [Orders];',
    code: 'SERVICE_NOT_BOUND',
    message:
      'Nothing is bound to Orders, and it cannot be constructed: its constructor parameter 1 does not say which service to inject. Bind it in a module: createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { bind(Orders).toConstantValue(new Orders(…)); })] }), or, for the command line, export const modules = […] beside the agent; or say it with @inject(Token): an interface does not exist at run time, and esbuild and tsx emit no types.',
  },
  {
    slip: 'a misspelt option',
    source:
      'class Orders { @tool({ confrim: true } as object) find(id: string) { return id; } } export const tools = [Orders];',
    code: 'TOOL_CONFIG_INVALID',
    message:
      'The tool "find": there is no option confrim. Did you mean confirm? Valid: approvers, auth, background, cache, checkTimeout, concurrency, confidential, confirm, description, effect, exposeErrors, idempotent, longRunning, maxResultBytes, name, once, outside, parameters, rateLimit, reconcile, remember, retry, run, sensitive, sequential, tell, timeout, unknownArguments, untrusted.',
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
      'Orders needs Store (constructor parameter 1), which is an abstract class, but nothing is bound to it. Bind it in a module: createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { bind(Store).to(…); })] }), or, for the command line, export const modules = […] beside the agent.',
  },
  {
    slip: 'a constructor parameter without @inject',
    source:
      'class Store {} class Orders { constructor(readonly store: Store) {} @tool find(id: string) { return id; } } export const tools = [Orders];',
    code: 'SERVICE_NOT_BOUND',
    message:
      'Nothing is bound to Orders, and it cannot be constructed: its constructor parameter 1 does not say which service to inject. Bind it in a module: createRunner(Agent, { modules: [new ContainerModule(({ bind }) => { bind(Orders).toConstantValue(new Orders(…)); })] }), or, for the command line, export const modules = […] beside the agent; or say it with @inject(Token): an interface does not exist at run time, and esbuild and tsx emit no types.',
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

/** Thrown while the program runs, before or at its first run. */
const THROWN: readonly Mistake[] = [
  {
    slip: 'a sub-agent that is undefined',
    source: 'await createRunner(defineAgent({ name: "root", subAgents: [undefined] }), { model });',
    code: 'NOT_AN_AGENT',
    message:
      'undefined (is there a circular import?) is not an agent class, but is used as a sub-agent of root. Pass a class that extends LlmAgent or BaseAgent; list a class that only has @tool methods under tools.',
  },
  {
    slip: 'a workflow without steps',
    source: 'await createRunner(workflow.sequence(), { model });',
    code: 'AGENT_CONFIG_INVALID',
    message:
      '@agent of sequence: it has no sub-agents to run. List them: @agent({ subAgents: [First, Second] }).',
  },
  {
    slip: 'a misspelt option of an agent',
    source: 'await createRunner(defineAgent({ name: "root", instrution: "Help." }), { model });',
    code: 'AGENT_CONFIG_INVALID',
    message:
      '@agent of root: there is no option instrution. Did you mean instruction? Valid: instruction, staticInstruction, generateContentConfig, outputSchema, outputKey, delegation, includeContents, maxIterations, tools, inputGuardrails, outputGuardrails, toolGuardrails, concurrency, itemsKey, globalInstruction, model, name, description, subAgents, disableTransfer, disallowTransferToParent, disallowTransferToPeers.',
  },
  {
    slip: 'a misspelt option of createRunner',
    source: 'await createRunner(root, { model, plugin: [] });',
    code: 'RUN_CONFIG_INVALID',
    message:
      'createRunner: there is no option plugin. Did you mean plugins? Valid: appName, modules, container, plugins, model, config, compaction, context, retention.',
  },
  {
    slip: 'a misspelt option of a run',
    source:
      'const runner = await createRunner(root, { model }); await runner.ask("Hi", { ...ids, sesionId: "s1" });',
    code: 'RUN_CONFIG_INVALID',
    message:
      'runner.ask: there is no option sesionId. Did you mean sessionId? Valid: appName, userId, sessionId, config, signal, by.',
  },
  {
    slip: 'a misspelt limit of a run',
    source:
      'const runner = await createRunner(root, { model }); await runner.ask("Hi", { ...ids, config: { maxLlmCall: 3 } });',
    code: 'RUN_CONFIG_INVALID',
    message:
      'config: there is no option maxLlmCall. Did you mean maxLlmCalls? Valid: maxLlmCalls, maxTransfers, maxInvalidCalls, maxCallsPerAnswer, toolConcurrency, toolTimeout, unknownArguments, streaming, resumeAt, showToolAgents, whileActive, whenRepeated, takeOverAfter, confirmationExpiresAfter, budget.',
  },
  {
    slip: 'an empty user id',
    source:
      'const runner = await createRunner(root, { model }); await runner.ask("Hi", { userId: "", sessionId: "s1" });',
    code: 'NAME_INVALID',
    message:
      'The user id must be a string, but is empty. Nothing was read or written. Pass a string; convert a numeric id with String(id).',
  },
  {
    slip: 'a session that does not exist',
    source:
      'const runner = await createRunner(root, { model }); await runner.resume({ ...ids, sessionId: "s2" });',
    code: 'SESSION_NOT_FOUND',
    message:
      'Session "s2" does not exist for this application and user. Create it before appending events, or let runner.run create it.',
  },
  {
    slip: 'an approval in the session of somebody else',
    source:
      'const run = defineTool({ name: "pay", confirm: true, parameters: { type: "object", properties: {} }, run: () => 1 }); ' +
      'const runner = await createRunner(defineAgent({ name: "root", tools: [run] }), ' +
      '{ model: new ScriptedModel(callsTool("pay", {})) }); ' +
      'const { pending: [request] } = await runner.run({ ...ids, message: "Pay." }); ' +
      'await runner.approve({ ...request, id: "1", userId: "bob" });',
    code: 'REQUEST_NOT_PENDING',
    message:
      'No request "1" is pending in this session: it was never made here, or is answered already. Call runner.pending to list the open requests.',
  },
  {
    slip: 'a runner that is closed',
    source:
      'const runner = await createRunner(root, { model }); await runner.close(); await runner.ask("Hi", ids);',
    code: 'RUNNER_CLOSED',
    message: 'The runner is closed. Create another one with createRunner.',
  },
  {
    slip: 'a model of another provider without its prefix',
    source: 'await createRunner(defineAgent({ name: "root", model: "gpt-5" }));',
    code: 'MODEL_NOT_FOUND',
    message:
      'root names the model "gpt-5", which no bound provider knows. Did you mean "openai/gpt-5"? Check the name, or pass a Model instead: @agent({ model: new MyModel() }).',
  },
  {
    slip: 'no key of another provider',
    source:
      'const runner = await createRunner(defineAgent({ name: "root", model: "openai/gpt-5" })); await runner.ask("Hi", ids);',
    code: 'MODEL_UNAVAILABLE',
    message:
      'Model "openai/gpt-5" cannot be called: OPENAI_API_KEY is not set. Set the variable in the environment, or pass the setting where the provider is created.',
  },
  {
    slip: 'a built-in tool of Gemini with the model of another provider',
    source:
      'process.env.OPENAI_API_KEY = "none"; ' +
      'await createRunner(defineAgent({ name: "root", model: "openai/gpt-5", tools: [googleSearch()] }));',
    code: 'PROVIDER_TOOL_UNSUPPORTED',
    message:
      'Agent "root" has the tool google_search, which needs a Gemini model, from Gemini 2 on; its model is "openai/gpt-5". Give the agent such a model, or remove the tool.',
  },
  {
    slip: 'a key that Gemini refuses',
    source:
      'const server = createServer((_request, response) => response.writeHead(401, { "content-type": "application/json" }).end(\'{"error":{"code":401,"message":"API key not valid"}}\')); ' +
      'await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)); server.unref(); ' +
      'const baseUrl = "http://127.0.0.1:" + server.address().port; ' +
      'const runner = await createRunner(root, { model: new GeminiModel({ model: "gemini-2.5-flash", apiKey: "wrong-key", baseUrl }) }); ' +
      'await runner.ask("Hi", ids);',
    code: 'RUN_FAILED',
    message:
      'The run ended without an answer: MODEL_UNAVAILABLE, Google refused the credentials for model "gemini-2.5-flash" (HTTP 401): API key not valid. Check GEMINI_API_KEY (or apiKey); create a key at https://aistudio.google.com/apikey. See the events of the run.',
  },
  {
    slip: 'a key of the state that is missing',
    source:
      'const runner = await createRunner(defineAgent({ name: "root", instruction: "Speak of {city}." }), { model }); await runner.ask("Hi", ids);',
    code: 'INSTRUCTION_KEY_MISSING',
    message:
      'The instruction of agent "root" has a placeholder {city}, but the state does not contain that key. Pass it in the stateDelta of the run, or write {city?} if it may be absent.',
  },
  {
    slip: 'parameters that are no JSON Schema',
    source:
      'const run = defineTool({ name: "find", parameters: { type: "object", properties: { id: { type: "strng" } } }, run: () => 1 }); ' +
      'await createRunner(defineAgent({ name: "root", tools: [run] }), { model });',
    code: 'SCHEMA_INVALID',
    message:
      'The declaration of tool "find" (run) is not valid: schema is invalid: data/properties/id/type must be equal to one of the allowed values, data/properties/id/type must be array, data/properties/id/type must match a schema in anyOf. Correct the declaration.',
  },
  {
    slip: 'an outputSchema that is no JSON Schema',
    source:
      'await createRunner(defineAgent({ name: "root", outputSchema: { type: "object", properties: { id: { type: "strng" } } } }), { model });',
    code: 'AGENT_CONFIG_INVALID',
    message:
      '@agent of root: its outputSchema cannot be used: schema is invalid: data/properties/id/type must be equal to one of the allowed values, data/properties/id/type must be array, data/properties/id/type must match a schema in anyOf. Correct the schema.',
  },
  {
    slip: 'oauth2 without a client',
    source:
      'await createRunner(defineAgent({ name: "root", tools: [signedIn()] }), { model, modules: [oauth()] });',
    code: 'SCHEMA_INVALID',
    message:
      'The declaration of tool "find" (run) is not valid: its auth has an oauth2 scheme and no credential: add { type: "oauthClient", clientId }. Correct the declaration.',
  },
  {
    slip: 'oauth2 without the module',
    source:
      'await createRunner(defineAgent({ name: "root", tools: [signedIn({ type: "oauthClient", clientId: "a" })] }), { model });',
    code: 'CREDENTIAL_EXCHANGER_MISSING',
    message:
      'No CredentialExchanger is bound for the oauth2 scheme of the tool "find", so its credential can never be obtained. Bind oauth() of @adorn/oauth: createRunner(Agent, { modules: [oauth()] }), or a CredentialExchanger of your own.',
  },
  {
    slip: 'an OpenAPI document that is not there',
    source: 'await firstRunWith(openApiToolset("missing.json", { listing: { required: true } }));',
    code: 'RUN_FAILED',
    message:
      'The run ended without an answer: TOOLSET_FAILED, The toolset OpenApiToolset failed: The OpenAPI document "missing.json" cannot be used: the file cannot be read (ENOENT). Check the path. See the events of the run.',
  },
  {
    slip: 'an OpenAPI document that is neither JSON nor YAML',
    source:
      'const path = new URL("bad.yaml", import.meta.url); writeFileSync(path, "openapi: 3.1.0\\ninfo: [\\n"); ' +
      'await firstRunWith(openApiToolset(fileURLToPath(path), { listing: { required: true } }));',
    code: 'RUN_FAILED',
    message:
      'The run ended without an answer: TOOLSET_FAILED, The toolset OpenApiToolset failed: The OpenAPI document "<root>/thrown/build/bad.yaml" cannot be used: it is neither JSON nor YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 3, column 1. Check the text. See the events of the run.',
  },
  {
    slip: 'JSON that is no OpenAPI document',
    source:
      'const path = new URL("none.json", import.meta.url); writeFileSync(path, "{}"); ' +
      'await firstRunWith(openApiToolset(fileURLToPath(path), { listing: { required: true } }));',
    code: 'RUN_FAILED',
    message:
      'The run ended without an answer: TOOLSET_FAILED, The toolset OpenApiToolset failed: The OpenAPI document "<root>/thrown/build/none.json" cannot be used: its "openapi" is absent. Pass an OpenAPI 3.0 or 3.1 document. See the events of the run.',
  },
  {
    slip: 'a Swagger 2 document without a host',
    source:
      'const path = new URL("swagger.json", import.meta.url); writeFileSync(path, JSON.stringify({ swagger: "2.0", info: { title: "Orders", version: "1" }, paths: { "/orders": { get: { operationId: "listOrders", responses: { 200: { description: "Orders." } } } } } })); ' +
      'await firstRunWith(openApiToolset(fileURLToPath(path), { listing: { required: true } }));',
    code: 'RUN_FAILED',
    message:
      "The run ended without an answer: TOOLSET_FAILED, The toolset OpenApiToolset failed: The operation GET /orders cannot be a tool: its server URL is \"/\", which is not absolute. Pass the API's address: baseUrl: 'https://…'. See the events of the run.",
  },
  {
    slip: 'a URL at which nobody listens',
    source:
      'await firstRunWith(openApiToolset("http://127.0.0.1:3/openapi.json", { listing: { required: true } }));',
    code: 'RUN_FAILED',
    message:
      'The run ended without an answer: TOOLSET_FAILED, The toolset OpenApiToolset failed: The OpenAPI document at http://127.0.0.1:3/openapi.json cannot be used: The request to 127.0.0.1:3 failed: the server could not be reached (ECONNREFUSED). Check the URL. See the events of the run.',
  },
  {
    slip: 'an MCP server without its program',
    source: 'await firstRunWith(mcpToolset({ command: "no-such-program", listing: { required: true } }));',
    code: 'RUN_FAILED',
    message:
      'The run ended without an answer: TOOLSET_FAILED, The toolset McpToolset failed: The MCP server no-such-program is not available: spawn no-such-program ENOENT. Install the program, or correct command; its arguments belong into args. See the events of the run.',
  },
  {
    slip: 'an MCP server that exits',
    source:
      'await firstRunWith(mcpToolset({ command: "node", args: ["-e", "console.error(\'TOKEN is missing\'); process.exit(3)"], listing: { required: true } }));',
    code: 'RUN_FAILED',
    message:
      'The run ended without an answer: TOOLSET_FAILED, The toolset McpToolset failed: The MCP server node -e console.error(\'TOKEN is missing\'); process.exit(3) is not available: it has exited with code 3 and said "TOKEN is missing". Correct the command, its arguments or its environment. See the events of the run.',
  },
  {
    slip: 'an MCP server that is not reached',
    source: 'await firstRunWith(mcpToolset({ url: "http://127.0.0.1:3/mcp", listing: { required: true } }));',
    code: 'RUN_FAILED',
    message:
      'The run ended without an answer: TOOLSET_FAILED, The toolset McpToolset failed: The MCP server http://127.0.0.1:3/mcp is not available: connect ECONNREFUSED 127.0.0.1:3. Check that it runs and that its command or URL is right. See the events of the run.',
  },
];

/** Answered to the model. */
const ANSWERED: readonly Mistake[] = [
  {
    slip: 'an argument that fits no member of a union',
    source:
      "class Orders { @tool find(by: 'open' | 'closed' | number) { return by; } } export const tools = [Orders]; " +
      'export const model = new ScriptedModel(callsTool("find", { by: "old" }), says("Done."));',
    message:
      '[{"error":"Invalid arguments for \\"find\\": by must be one of \\"open\\", \\"closed\\" or number, not \\"old\\". Correct them and call the tool again."}] Done.',
  },
  {
    slip: 'a date without a time',
    source:
      'class Orders { @tool find(since: Date) { return since; } } export const tools = [Orders]; ' +
      'export const model = new ScriptedModel(callsTool("find", { since: "tomorrow" }), says("Done."));',
    message:
      '[{"error":"Invalid arguments for \\"find\\": since must match format \\"date-time\\", and is \\"tomorrow\\", for example \\"2026-11-23T10:00:00Z\\" or \\"2026-11-23T10:00:00+01:00\\". Correct them and call the tool again."}] Done.',
  },
  {
    slip: 'a tool that throws',
    source:
      'class Orders { @tool find(id: string) { throw new Error("password hunter2"); } } export const tools = [Orders]; ' +
      'export const model = new ScriptedModel(callsTool("find", { id: "A" }), says("Done."));',
    message:
      '[{"error":"outcome unknown: the tool failed (Error). It may have taken effect.","outcome":"unknown"}] Done.',
  },
  {
    slip: 'a result with a cycle',
    source:
      'class Orders { @tool({ parameters: { type: "object", properties: {} } }) find(): unknown { const order: any = { lines: {} }; order.lines.of = order; return order; } } export const tools = [Orders]; ' +
      'export const model = new ScriptedModel(callsTool("find", {}), says("Done."));',
    message:
      '[{"error":"The value contains a cycle at lines.of, which JSON cannot represent. Pass plain values: a bigint as a string, a Map as an object, and no functions or circular references.","outcome":"unknown"}] Done.',
  },
  {
    slip: 'an OpenAPI document whose server is in a private network',
    source:
      'const path = new URL("local.json", import.meta.url); writeFileSync(path, JSON.stringify({ openapi: "3.1.0", info: { title: "Orders", version: "1" }, servers: [{ url: "http://10.0.0.1" }], paths: { "/orders": { get: { operationId: "listOrders", responses: { 200: { description: "Orders." } } } } } })); ' +
      'export const tools = [openApiToolset(fileURLToPath(path))]; ' +
      'export const model = new ScriptedModel(callsTool("list_orders", {}), says("Done."));',
    message:
      '[{"error":"The request was blocked: the host 10.0.0.1 has a private address. If it is meant, list it: privateHosts: [\'10.0.0.1\']."}] Done.',
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
    'There is no schema for the tools of Orders (find): no source, or more than one, that declares it was found for <root>/unmapped/build/mistake-0.js. Set "sourceMap": true in the compilerOptions of tsconfig.json (a bundler has an option sourcemap), and keep names from being shortened. Run "adorn build" after tsc, bundle with the plugin (adorn() of "@adorn/compiler/vite", "/esbuild", "/rollup", "/rolldown" or "/webpack"), install @adorn/compiler as a dev dependency to derive schemas in development, or write the schema: @tool({ parameters }) or defineTool({ parameters }).',
};
const IN_PRODUCTION: Mistake = {
  slip: 'a production that was not built',
  source: 'class Orders { @tool find(id: string) { return id; } } export const tools = [Orders];',
  code: 'SCHEMA_MISSING',
  message:
    'There is no schema for the tools of Orders (find): in production it is not derived, and "adorn build" has not written it. Run "adorn build" after tsc, bundle with the plugin (adorn() of "@adorn/compiler/vite", "/esbuild", "/rollup", "/rolldown" or "/webpack"), install @adorn/compiler as a dev dependency to derive schemas in development, or write the schema: @tool({ parameters }) or defineTool({ parameters }).',
};

/** The imports and values of the programs that do more than offer tools. */
const PROGRAM = `
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GeminiModel } from '@adorn/gemini';
import { mcpToolset } from '@adorn/mcp';
import { oauth } from '@adorn/oauth';
import { openApiToolset } from '@adorn/openapi';
import { defineTool, googleSearch, workflow } from 'adorn';
`;
const VALUES = `
const model = new ScriptedModel(says('Done.'));
const root = defineAgent({ name: 'root' });
const ids = { userId: 'ada', sessionId: 's1' };
const flow = { authorizationUrl: 'https://id.example/authorize', tokenUrl: 'https://id.example/token', scopes: {} };
const scheme = { type: 'oauth2', flows: { authorizationCode: flow } };
const signedIn = (credential) =>
  defineTool({ name: 'find', parameters: { type: 'object', properties: {} }, auth: { scheme, credential }, run: () => 1 });
async function firstRunWith(toolset) {
  const runner = await createRunner(defineAgent({ name: 'root', tools: [toolset] }), { model });
  await runner.ask('Hi', ids);
}
export {};
`;

const IMPORTS =
  "import { agent, createRunner, defineAgent, inject, LlmAgent, tool, toolbox } from 'adorn';\n";

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
  let told: Groups;
  beforeAll(async () => {
    write(root, 'package.json', JSON.stringify({ name: 'mistakes', type: 'module' }));
    write(root, 'run.mjs', RUN);
    told = await tellAll(root);
  }, SLOW);
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

  it('by createRunner', () => {
    expect(told.built).toEqual(BUILT.map(({ code, message }) => ({ code, message })));
  });

  it('when a file is loaded or a model is asked', () => {
    const expected = [...LOADED, WITHOUT_OPTION].map(({ code, message }) => ({ code, message }));

    expect(told.loaded).toEqual(expected);
  });

  it('when the program runs', () => {
    expect(told.thrown).toEqual(THROWN.map(({ code, message }) => ({ code, message })));
  });

  it('to the model, by the answer to its call', () => {
    expect(told.answered).toEqual(ANSWERED.map(({ message }) => ({ message })));
  });

  it('and what is none works', () => {
    expect(told.working).toEqual(WORKING.map(({ message }) => ({ message })));
  });

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
    'by tsc, at decorators of a file without experimentalDecorators, of a property, with a misspelt option, and at a runner without await',
    () => {
      const decorated =
        'class Orders { @inject("Store") readonly store!: { get(): string }; @tool find(id: string) { return id; } ' +
        '@tool({ confirm: (id) => id === "A" }) pay(id: string) { return id; } } ' +
        '@agent class Clerk extends LlmAgent {} @agent({ tools: [Orders] }) class Desk extends LlmAgent {} ' +
        '@toolbox({ unfold: true }) class Box extends Orders {}';
      const misspelt =
        'class Orders { @tool find = (id: string) => id; } class Bills { @tool({ confrim: true }) pay(id: string) { return id; } } ' +
        '@agent({ tols: [Orders] }) class Desk extends LlmAgent {}';
      const hasty =
        '@agent class Clerk extends LlmAgent {} const runner = createRunner(Clerk); runner.run({ message: "Hi" });';
      const [first, second, third] = [decorated, misspelt, hasty].map(
        (source, index) => compile(root, 'typed', { ...WITHOUT_OPTION, source }, index).source,
      ) as [string, string, string];
      const cure =
        /NoStandardDecorator<"(decorate a method, and )?set experimentalDecorators to true in the compilerOptions of tsconfig.json">/;
      const typeErrors = typeChecker();

      expect(typeErrors([first], false).map((text) => cure.exec(text)?.[0] ?? text)).toEqual([
        ...Array<unknown>(6).fill(expect.stringMatching(cure)),
      ]);
      expect(typeErrors([first, second], true)).toEqual([
        expect.stringMatching(/^mistake-1.ts: .*decorate a method, and set experimentalDecorators/),
        expect.stringMatching(
          /^mistake-1.ts: .*'confrim' does not exist in type .* Did you mean to write 'confirm'\?/,
        ),
        expect.stringMatching(
          /^mistake-1.ts: .*'tols' does not exist in type .* Did you mean to write 'tools'\?/,
        ),
      ]);
      expect(typeErrors([third], true)).toEqual([
        expect.stringMatching(
          /^mistake-2.ts: Property 'run' does not exist on type 'Promise<Runner<.*>>'. Did you forget to use 'await'\?/,
        ),
      ]);
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

/** What tsc says to files: a text for each place, with the name of the file. Declarations are read once for all calls. */
function typeChecker(): (files: string[], experimentalDecorators: boolean) => string[] {
  const shared = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    lib: ['lib.es2022.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(shared);
  const sources = new Map<string, ts.SourceFile | undefined>();
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    if (!sources.has(name)) sources.set(name, read(name, ...rest));
    return sources.get(name);
  };
  return (files, experimentalDecorators) => {
    const program = ts.createProgram(files, { ...shared, experimentalDecorators }, host);
    const texts = new Map<string, string>();
    for (const diagnostic of ts.getPreEmitDiagnostics(program)) {
      const { file, start, messageText, relatedInformation = [] } = diagnostic;
      const place = `${file?.fileName ?? ''}:${String(start)}`;
      const before = texts.get(place) ?? `${basename(file?.fileName ?? '')}: `;
      const words = [messageText, ...relatedInformation.map((related) => related.messageText)].map((text) =>
        ts.flattenDiagnosticMessageText(text, ' '),
      );
      texts.set(place, `${before}${words.join(' ')} `);
    }
    return [...texts.values()];
  };
}

/** The groups of programs that need a build, or can run in the process of those that do. */
type Groups = Readonly<Record<'built' | 'answered' | 'working' | 'loaded' | 'thrown', readonly unknown[]>>;

/** What the programs of each group are told. One build and one process for all: each takes seconds. */
async function tellAll(root: string): Promise<Groups> {
  const written = (project: string, group: string, mistakes: readonly Mistake[], head = '') =>
    mistakes.map(({ source, ...mistake }, index) =>
      compile(root, project, { ...mistake, source: head + source }, index, { name: group }),
    );
  const groups = {
    built: written('built', 'built', BUILT),
    answered: written('built', 'answered', ANSWERED, TESTING + PROGRAM),
    working: written('built', 'working', WORKING, TESTING),
    loaded: [
      ...written('loaded', 'mistake', LOADED),
      compile(root, 'standard', WITHOUT_OPTION, 0, { experimentalDecorators: false }),
    ],
    thrown: written('thrown', 'mistake', THROWN, TESTING + PROGRAM + VALUES),
  };
  await buildSchemas({ project: join(root, 'built') });
  const told = run(root, Object.values(groups).flat());
  const next = (files: readonly Compiled[]) => told.splice(0, files.length);
  return {
    built: next(groups.built),
    answered: next(groups.answered),
    working: next(groups.working),
    loaded: next(groups.loaded),
    thrown: next(groups.thrown),
  };
}

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
  { experimentalDecorators = true, name: group = 'mistake' } = {},
): Compiled {
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2022'],
    experimentalDecorators,
    types: [],
  };
  const settings = {
    compilerOptions: { ...compilerOptions, rootDir: 'src', outDir: 'build' },
    include: ['src'],
  };
  write(root, `${project}/tsconfig.json`, JSON.stringify(settings));
  const name = `${group}-${String(index)}`;
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
  const { source, emitted } = compile(root, project, mistake, index, { experimentalDecorators });
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
): unknown[] {
  const { GEMINI_API_KEY: _key, GOOGLE_API_KEY: _otherKey, NODE_ENV: _mode, ...env } = process.env;
  const programs = files.map(({ emitted }) => emitted);
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'run.mjs'), ...programs], {
    encoding: 'utf8',
    env: { ...env, ...settings },
  });
  const last = stdout.trim().split('\n').at(-1) ?? '';
  if (last === '') throw new Error(stderr);
  return JSON.parse(shown(root, last)) as unknown[];
}

function shown(root: string, text: string): string {
  return text.replaceAll(root, '<root>').replaceAll(relative(process.cwd(), root), '<root>');
}
