import { hash } from 'node:crypto';

import type { JsonSchema } from '@adorn/core';
import { canonicalJson, isToolName, type ToolEffect } from '@adorn/core/backend';

import { cleanText } from './clean-text.js';
import type { McpToolOptions } from './mcp-toolset-options.js';
import { exceedsDepth, usableSchema } from './remote-schema.js';
import { type ToolUiMeta, uiMetaOf } from './ui/tool-ui-meta.js';

/** The longest description that a model is shown, in characters. */
const LONGEST_DESCRIPTION = 16_384;
/** The longest name that a server may give a tool, in characters. */
const LONGEST_NAME = 256;
/** How deeply a definition may be nested. */
const DEEPEST = 128;

/** A tool of a server as it is offered to the model. */
export interface ToolDefinition {
  /** The name on the server. */
  readonly serverName: string;
  /** The name that the model calls. */
  readonly name: string;
  readonly description: string;
  /** For people; undefined if the server states none. */
  readonly title: string | undefined;
  readonly schema: JsonSchema;
  /** Of structured results; undefined if the server states none, or one that cannot be used. */
  readonly outputSchema: JsonSchema | undefined;
  readonly effect: ToolEffect;
  /** Whether the server says that two calls with the same arguments have the effect of one. */
  readonly isIdempotent: boolean;
  /** Whether the server says that the tool deals with others than the server itself; undefined if it does not say. */
  readonly isOpenWorld: boolean | undefined;
  /** The server runs the tool as a task, and in no other way. */
  readonly isTask: boolean;
  /** The page of the tool, and who may call it (MCP Apps). */
  readonly ui: ToolUiMeta;
  /** SHA-256 of the definition as the server gave it, base64url. */
  readonly digest: string;
}

/** What a server lists, and what of it cannot be used. */
export interface ReadDefinitions {
  readonly definitions: readonly ToolDefinition[];
  /** The names of all tools of the server, offered or not. */
  readonly names: ReadonlySet<string>;
  /** The tools whose effect nobody states, by their names on the server. */
  readonly assumed: readonly string[];
  /** One sentence each, for the log. */
  readonly faults: readonly string[];
}

type Listed = Readonly<Record<string, unknown>> & { readonly name: string };

/** Reads the tools that a server lists. A definition that cannot be used is left out or replaced, and told in `faults`. */
export async function readDefinitions(
  listed: readonly unknown[],
  options: Pick<McpToolOptions, 'only' | 'except' | 'prefix' | 'effects' | 'ui'> = {},
): Promise<ReadDefinitions> {
  const faults: string[] = [];
  const known = new Map<string, Listed>();
  for (const entry of listed) {
    const fault = faultOf(entry);
    if (fault !== undefined) faults.push(fault);
    else if (known.has((entry as Listed).name))
      faults.push(`two tools are named "${(entry as Listed).name}"`);
    else known.set((entry as Listed).name, entry as Listed);
  }
  const { only, except = [], prefix, effects = {}, ui = true } = options;
  for (const [option, names] of Object.entries({ only, except }))
    for (const name of names ?? [])
      if (!known.has(name)) faults.push(`there is no tool "${name}", which "${option}" names`);
  const wanted = [...known.values()].filter(
    (tool) =>
      isCallable(tool, ui) && (only === undefined || only.includes(tool.name)) && !except.includes(tool.name),
  );
  const names = offeredNames(
    wanted.map(({ name }) => name),
    prefix,
  );
  const definitions = await Promise.all(
    wanted.map(async (tool, index) => {
      const definition = await readOne(tool, names[index] ?? '', faults);
      return Object.hasOwn(effects, tool.name)
        ? { ...definition, effect: effects[tool.name] ?? definition.effect }
        : definition;
    }),
  );
  const assumed = wanted.filter(
    ({ name, annotations }) => !Object.hasOwn(effects, name) && !saysEffect(annotations),
  );
  return { definitions, faults, names: new Set(known.keys()), assumed: assumed.map(({ name }) => name) };
}

/** False for a tool that nobody may call: one for pages alone, where pages are not shown. */
function isCallable({ _meta }: Listed, showsPages: boolean): boolean {
  return showsPages || uiMetaOf(_meta).visibility.includes('model');
}

function faultOf(entry: unknown): string | undefined {
  const { name } = (typeof entry === 'object' && entry !== null ? entry : {}) as { name?: unknown };
  if (typeof name !== 'string' || name === '') return 'an entry has no name';
  if (name.length > LONGEST_NAME)
    return `the name "${name.slice(0, 64)}…" has ${String(name.length)} characters`;
  return exceedsDepth(entry, DEEPEST) ? `the tool "${name}" is nested too deeply` : undefined;
}

async function readOne(tool: Listed, name: string, faults: string[]): Promise<ToolDefinition> {
  const { schema, fault } = await usableSchema(tool['inputSchema']);
  if (fault !== undefined)
    faults.push(`the tool "${tool.name}" takes any arguments: its schema is not used, ${fault}`);
  const output = tool['outputSchema'] === undefined ? undefined : await usableSchema(tool['outputSchema']);
  const description = typeof tool['description'] === 'string' ? tool['description'] : '';
  return {
    serverName: tool.name,
    name,
    description: cleanText(description, LONGEST_DESCRIPTION),
    title: titleOf(tool),
    schema,
    outputSchema: output?.fault === undefined ? output?.schema : undefined,
    ...hintsOf(tool['annotations']),
    isTask: isTask(tool['execution']),
    ui: uiMetaOf(tool['_meta']),
    digest: digestOf(tool),
  };
}

function titleOf({ title, annotations }: Listed): string | undefined {
  const { title: hinted } = (annotations ?? {}) as Readonly<Record<string, unknown>>;
  const text = title ?? hinted;
  return typeof text === 'string' && text !== '' ? cleanText(text, LONGEST_NAME) : undefined;
}

/** True for a tool that must be called as a task; one that may be is called as any other. */
function isTask(execution: unknown): boolean {
  const { taskSupport } = (execution ?? {}) as { readonly taskSupport?: unknown };
  return taskSupport === 'required';
}

/** What the server says of its tool's effect. By the protocol, a tool is destructive unless its hints deny it. */
function hintsOf(annotations: unknown): Pick<ToolDefinition, 'effect' | 'isIdempotent' | 'isOpenWorld'> {
  const hints = (annotations ?? {}) as Readonly<Record<string, unknown>>;
  const isIdempotent = hints['idempotentHint'] === true;
  const { openWorldHint } = hints;
  const isOpenWorld = typeof openWorldHint === 'boolean' ? openWorldHint : undefined;
  if (hints['readOnlyHint'] === true) return { effect: 'read', isIdempotent, isOpenWorld };
  const effect = hints['destructiveHint'] === false ? 'write' : 'destructive';
  return { effect, isIdempotent, isOpenWorld };
}

function saysEffect(annotations: unknown): boolean {
  const hints = (annotations ?? {}) as Readonly<Record<string, unknown>>;
  return hints['readOnlyHint'] === true || typeof hints['destructiveHint'] === 'boolean';
}

/** A tool for pages alone is another one once models are offered it. */
function digestOf({ name, description, inputSchema, outputSchema, annotations, _meta }: Listed): string {
  const said = [name, description, inputSchema, outputSchema, annotations];
  const isForModels = uiMetaOf(_meta).visibility.includes('model');
  return hash('sha256', canonicalJson(isForModels ? said : [...said, 'app']), 'base64url');
}

const LONGEST = 64;

/**
 * Names that a model may call for the names of a server's tools, in the same order: illegal characters are replaced by
 * `_`, and names that are taken get a number.
 */
export function offeredNames(serverNames: readonly string[], prefix?: string): string[] {
  const before = prefix === undefined ? '' : `${prefix}_`;
  // A name that is legal as it is belongs to its tool, whatever comes earlier in the list.
  const taken = new Set(serverNames.map((name) => before + name).filter(isToolName));
  const given = new Set<string>();
  return serverNames.map((name) => {
    const whole = before + name;
    const isOwn = taken.has(whole) && !given.has(whole);
    const offered = isOwn ? whole : uniqueName(legalName(whole), taken);
    taken.add(offered);
    given.add(offered);
    return offered;
  });
}

function legalName(name: string): string {
  const replaced = name.replace(/[^A-Za-z0-9_.:-]/g, '_').slice(0, LONGEST);
  if (isToolName(replaced)) return replaced;
  const begun = `_${replaced}`.slice(0, LONGEST);
  return isToolName(begun) ? begun : '_tool';
}

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) {
    const end = `_${String(number)}`;
    const numbered = name.slice(0, LONGEST - end.length) + end;
    if (!taken.has(numbered)) return numbered;
  }
}
