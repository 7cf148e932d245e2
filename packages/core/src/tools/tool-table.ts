import { authFaultOf } from '../auth/auth-config.js';
import { callerOf } from '../events/caller.js';
import type { Event } from '../events/event.js';
import { isRequestName } from '../events/pending-request.js';
import { undoOf } from '../events/undo-mark.js';
import {
  type Arguments,
  type ArgumentCheck,
  compileArgumentCheck,
  nearestNames,
  definitionsOf,
  type JsonSchema,
  requiredOf,
  schemasWithin,
} from '@adorn/schema';
import { ProviderTool } from './builtin/provider.tools.js';
import { readResult } from './builtin/read-result.tool.js';
import type { ClosedTools } from './closed-tools.js';
import { ToolNameInvalidError, ToolNameTakenError, ToolSchemaInvalidError } from './errors.js';
import type { RunsCode, Tool } from './tool.js';
import { isOffered } from './tool-ui.js';

/** A tool with the check of its arguments. */
export interface ToolEntry {
  readonly tool: Tool;
  readonly check: ArgumentCheck;
  /** The closed tools that it is one of; undefined for a tool that is always offered. */
  readonly box: ClosedTools | undefined;
}

/** A tool that runs code in answers of the model. */
export interface CodeTool extends RunsCode {
  readonly name: string;
}

const NONE: readonly never[] = Object.freeze([]);

/** How tools are added to a table. */
interface AddOptions {
  /** The label of a tool in error messages: of an added one (`isAdded`), or of a present one. Default: its `origin`. */
  readonly originOf?: (tool: Tool, isAdded: boolean) => string;
  /** What the tools belong to until they are open: they are not listed. A passive tool is listed, as nothing calls it. */
  readonly box?: ClosedTools | undefined;
}

/** Ajv compiles once per tool, not once per table. */
const checks = new WeakMap<Tool, Promise<ArgumentCheck>>();

/** The tools of one agent, by name. A passive tool is listed but cannot be called. */
export class ToolTable {
  /** The tools that the model's provider runs. */
  readonly provided: readonly ProviderTool[];
  /** The tools that run code in answers of the model. */
  readonly codeTools: readonly CodeTool[];

  private constructor(
    readonly tools: readonly Tool[],
    private readonly entries: ReadonlyMap<string, ToolEntry>,
    private readonly passive: ReadonlyMap<string, Tool>,
    private readonly undos: ReadonlyMap<string, ToolEntry>,
    private readonly unoffered: ReadonlyMap<string, ToolEntry>,
  ) {
    this.provided = tools.filter((tool) => tool instanceof ProviderTool);
    this.codeTools = tools.flatMap(({ name, runsCode }) =>
      runsCode === undefined ? NONE : { name, ...runsCode },
    );
  }

  /**
   * @param owner the agent, for error messages
   * @throws {ToolNameTakenError} if two tools have the same name
   * @throws {ToolNameInvalidError} if a name is not valid
   * @throws {ToolSchemaInvalidError} if a schema is not valid
   */
  static async build(
    owner: string,
    tools: readonly Tool[],
    base?: ToolTable,
    { originOf = ({ origin }) => origin, box }: AddOptions = {},
  ): Promise<ToolTable> {
    const entries = new Map(base?.entries);
    const passive = new Map(base?.passive);
    const undos = new Map(base?.undos);
    const unoffered = new Map(base?.unoffered);
    const namedSo = (name: string): Tool | undefined =>
      (entries.get(name) ?? undos.get(name) ?? unoffered.get(name))?.tool ?? passive.get(name);
    for (const tool of tools) {
      const taken = namedSo(tool.name);
      if (taken !== undefined) {
        const first = originOf(taken, tools.includes(taken));
        throw new ToolNameTakenError(owner, tool.name, first, originOf(tool, true));
      }
      if (!isToolName(tool.name)) throw new ToolNameInvalidError(tool.name, originOf(tool, true));
      await tool.ready?.();
      checkTool(tool);
      if (tool.declaration() === undefined) passive.set(tool.name, tool);
      else if (!isOffered(tool)) unoffered.set(tool.name, await entryOf(tool, undefined));
      else entries.set(tool.name, await entryOf(tool, box));
      const { undo } = tool;
      if (undo === undefined) continue;
      const other = namedSo(undo.name);
      if (other !== undefined) throw new ToolNameTakenError(owner, undo.name, other.origin, undo.origin);
      if (!isToolName(undo.name)) throw new ToolNameInvalidError(undo.name, undo.origin);
      await undo.ready?.();
      undos.set(undo.name, await entryOf(undo, undefined));
    }
    const listed = base?.tools ?? [];
    const offered = tools.filter((tool) => passive.has(tool.name) || (!box && isOffered(tool)));
    return new ToolTable([...listed, ...offered], entries, passive, undos, unoffered);
  }

  find(name: string): ToolEntry | undefined {
    const entry = this.entries.get(name);
    return !entry && this.entries.size > 0 && name === READER.tool.name ? READER : entry;
  }

  /** True if the tool that reads results is among them, unless another one has its name. */
  get readsResults(): boolean {
    return this.find(READER.tool.name)?.tool === READER.tool;
  }

  /** True if the tool that reads results is declared only where a request lacks some. */
  get offersReader(): boolean {
    return this.find(READER.tool.name) === READER;
  }

  /** The undo of a tool, which `find` does not know: no model may call it. */
  findUndo(name: string): ToolEntry | undefined {
    return this.undos.get(name);
  }

  /**
   * The tool of a call that is stored: undos run undos, and a page may call tools that no model is offered.
   *
   * @param origin the event that holds the call
   */
  findCalled(name: string, origin: Event): ToolEntry | undefined {
    if (undoOf(origin)) return this.findUndo(name);
    return this.find(name) ?? (callerOf(origin)?.fromUi === undefined ? undefined : this.unoffered.get(name));
  }

  /** The tools with policies and credentials: the callable ones, the undos, and those for pages alone. */
  get gated(): readonly Tool[] {
    return [this.entries, this.undos, this.unoffered].flatMap((table) =>
      [...table.values()].map(({ tool }) => tool),
    );
  }

  /** The tools that pages of their servers call, and no model is offered. */
  get forPages(): readonly Tool[] {
    return [...this.unoffered.values()].map(({ tool }) => tool);
  }

  /** True for a tool that is part of requests and cannot be called. */
  isPassive(name: string): boolean {
    return this.passive.has(name);
  }

  /** The names that a model may call, without closed ones. */
  get names(): readonly string[] {
    return [...this.entries].filter(([, { box }]) => box === undefined).map(([name]) => name);
  }

  /** The callable tools, including closed ones. */
  get callable(): readonly Tool[] {
    return [...this.entries.values()].map(({ tool }) => tool);
  }

  /** The callable tools that belong to these closed ones, open or not. */
  in(closed: ClosedTools): readonly Tool[] {
    return [...this.entries.values()].filter(({ box }) => box === closed).map(({ tool }) => tool);
  }

  nearest(name: string): string[] {
    return nearestNames(name, this.entries.keys());
  }
}

/** The tool that reads results checks its arguments itself: most conversations never offer it. */
const READER: ToolEntry = Object.freeze({
  tool: readResult(),
  check: (args: Arguments) => ({ kind: 'valid' as const, args }),
  box: undefined,
});

async function entryOf(tool: Tool, box: ClosedTools | undefined): Promise<ToolEntry> {
  return { tool, check: await checkOf(tool), box };
}

/** Refuses a tool whose schema would accept unchecked calls, or no call at all. */
function checkTool(tool: Tool): void {
  const fault = faultOf(tool);
  if (fault !== undefined) throw new ToolSchemaInvalidError(tool.name, tool.origin, new Error(fault));
}

function faultOf(tool: Tool): string | undefined {
  const { auth } = tool.traits;
  const authFault = auth === undefined ? undefined : authFaultOf(auth);
  if (authFault !== undefined) return authFault;
  const declaration = tool.declaration();
  if (declaration === undefined) return undefined;
  if (declaration.name !== tool.name) return `its declaration has the name "${String(declaration.name)}"`;
  if (declaration.parameters !== undefined)
    return 'it has "parameters" in the format of Google: use parametersJsonSchema';
  const schema = declaration.parametersJsonSchema as JsonSchema | undefined;
  if (schema !== undefined && '~standard' in schema)
    return 'its schema is an object of a schema library: convert it to JSON Schema';
  return takesObjects(schema)
    ? undefined
    : `its schema has the type ${String(schema?.['type'])}: the arguments of a call are an object`;
}

/** True if no call could ever fit the schema, because arguments named `__proto__` are dropped. */
function requiresPrototype(schema: JsonSchema): boolean {
  const all = [schema, ...definitionsOf(schema).values()];
  return all.some((one) => [...schemasWithin(one)].some((part) => requiredOf(part).includes('__proto__')));
}

const NO_OBJECT: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'null']);

/** True if the schema accepts an object, as the arguments of a call are. */
function takesObjects({ type }: JsonSchema = {}): boolean {
  return Array.isArray(type) ? !type.every((one) => NO_OBJECT.has(one)) : !NO_OBJECT.has(type);
}

function checkOf(tool: Tool): Promise<ArgumentCheck> {
  const known = checks.get(tool);
  if (known !== undefined) return known;
  const schema = (tool.declaration()?.parametersJsonSchema ?? { type: 'object' }) as JsonSchema;
  const check = compiled(tool, schema).catch((cause: unknown) => {
    throw new ToolSchemaInvalidError(tool.name, tool.origin, cause);
  });
  checks.set(tool, check);
  return check;
}

async function compiled(tool: Tool, schema: JsonSchema): Promise<ArgumentCheck> {
  if (!tool.isDerived && requiresPrototype(schema))
    throw new Error('it requires a property called __proto__, which no argument keeps: give it another name');
  return compileArgumentCheck(schema, { isKnownGood: tool.isDerived, ownDefaults: tool.ownDefaults });
}

/** The names that Gemini takes. For other providers, dots and colons are replaced on the wire. */
const LEGAL_NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/;

/** The default tool name of a method: `getWeather` becomes `get_weather`. */
export function toolNameOf(method: string): string {
  return snakeCase(method);
}

/** Whether a model could call a tool by this name. */
export function isToolName(name: string): boolean {
  return LEGAL_NAME.test(name) && !isRequestName(name);
}

/** `getWeather` is `get_weather`, `Support` is `support`, `HTTPError` is `http_error`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
