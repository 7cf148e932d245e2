import type { JsonSchema } from '@adorn/core';
import {
  asSchema,
  elementSchema,
  isObject,
  propertiesOf,
  SchemaDocument,
  type AgentNode,
  LlmAgentNode,
} from '@adorn/core/backend';

import { inlineEntries, inlineJson, inlineKey } from './inline-json.js';
import { escapeInvisible } from '../terminal/escape-invisible.js';

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
  const schema = asSchema(schemaOf(root, tool)) ?? {};
  return order(args, [schema], new SchemaDocument(schema)) as JsonObject;
}

function schemaOf(node: AgentNode, tool: string): unknown {
  const own = node instanceof LlmAgentNode ? node.tools.find(tool)?.tool.declaration() : undefined;
  if (own) return own.parametersJsonSchema;
  for (const child of node.subAgents) {
    const found = schemaOf(child, tool);
    if (found !== undefined) return found;
  }
  return undefined;
}

function order(value: unknown, schemas: readonly JsonSchema[], document: SchemaDocument): unknown {
  const parts = [...document.inPlace(...schemas)];
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      order(
        item,
        parts.map((part) => elementSchema(part, index)),
        document,
      ),
    );
  }
  if (!isObject(value)) return value;
  const properties = parts.map(propertiesOf);
  const declared = parts.flatMap((part) => Object.keys(asSchema(part['properties']) ?? {}));
  const rest = Object.keys(value).sort();
  const keys = new Set([...declared, ...rest].filter((key) => Object.hasOwn(value, key)));
  // `fromEntries`, so that a key "__proto__" is a key.
  return Object.fromEntries(
    [...keys].map((key) => {
      const inner = properties.map((own) => own.get(key)).filter((schema) => schema !== undefined);
      return [key, order(value[key], inner, document)];
    }),
  );
}
