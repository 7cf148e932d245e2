import { type AgentNode, LlmAgentNode } from '@adorn/core';

import { inlineEntries, inlineJson, inlineKey } from './inline-json.js';
import { escapeInvisible } from '../terminal/printable.js';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A call as a person is asked about it: nothing cut, one line for each argument where one line does not hold them
 * all, and what continues a line marked, so that no text passes for another argument.
 */
export function wholeCall(name: string, args: object, width: number): string[] {
  const line = escapeInvisible(`${name}(${inlineEntries(args)})`);
  if (columnsOf(line) <= width) return [line];
  const entries = Object.entries(args).map(([key, value]) => `  ${inlineKey(key)}: ${inlineJson(value)}`);
  return [`${name}(`, ...entries, ')'].flatMap((text) => wrap(escapeInvisible(text), width));
}

const CONTINUED = '  … ';

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let columns = 0;
  for (const character of text) {
    const taken = columnsOf(character);
    if (columns + taken > width) {
      lines.push(line);
      line = CONTINUED;
      columns = CONTINUED.length;
    }
    line += character;
    columns += taken;
  }
  return [...lines, line];
}

/** At most how many columns of a terminal the text takes: two for each character that may be a wide one. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += character < '\u007f' ? 1 : 2;
  return columns;
}

/**
 * The arguments in the order in which the tool declares them, at every depth; keys that it does not declare come
 * last, by name. The order in which a model wrote them tells nothing.
 */
export function inDeclaredOrder(root: AgentNode, tool: string, args: JsonObject): JsonObject {
  const schema = schemaOf(root, tool);
  return order(args, isObject(schema) ? [schema] : [], isObject(schema) ? schema : {}) as JsonObject;
}

function schemaOf(node: AgentNode, tool: string): unknown {
  const own = node instanceof LlmAgentNode ? node.tools.find(tool)?.tool.declaration() : undefined;
  if (own !== undefined) return own.parametersJsonSchema;
  for (const child of node.subAgents) {
    const found = schemaOf(child, tool);
    if (found !== undefined) return found;
  }
  return undefined;
}

function order(value: unknown, schemas: readonly JsonObject[], root: JsonObject): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const parts = partsOf(schemas, root);
  if (Array.isArray(value)) {
    const items = parts.map(({ items: each }) => each).filter(isObject);
    return (value as unknown[]).map((item) => order(item, items, root));
  }
  const properties = parts.map(({ properties: own }) => own).filter(isObject);
  const declared = properties.flatMap(Object.keys);
  const rest = Object.keys(value).sort();
  const keys = new Set([...declared, ...rest].filter((key) => Object.hasOwn(value, key)));
  // `fromEntries`, so that a key "__proto__" is a key.
  return Object.fromEntries(
    [...keys].map((key) => {
      const inner = properties.filter((own) => Object.hasOwn(own, key)).map((own) => own[key]);
      return [key, order((value as JsonObject)[key], inner.filter(isObject), root)];
    }),
  );
}

/** The schemas and those that they refer to or are composed of. */
function partsOf(schemas: readonly JsonObject[], root: JsonObject): readonly JsonObject[] {
  const parts = new Set(schemas);
  for (const schema of parts) {
    const { $ref, anyOf, oneOf, allOf } = schema;
    const inner = [anyOf, oneOf, allOf].filter(Array.isArray).flat() as unknown[];
    for (const part of [typeof $ref === 'string' ? definitionOf($ref, root) : undefined, ...inner])
      if (isObject(part)) parts.add(part);
  }
  return [...parts];
}

function definitionOf(reference: string, root: JsonObject): unknown {
  const [start, ...path] = reference.split('/');
  if (start !== '#') return undefined;
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), root);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
