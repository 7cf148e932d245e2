import { readFileSync } from 'node:fs';

import type { JsonSchema } from '@adorn/core';
import { toGeminiSchema } from '@adorn/core/dialects';
import { openApiToolset, type RestApiTool } from '@adorn/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

import { messageOf } from '../../message-of.js';
import type { Check } from '../check.js';

const LEGAL_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const MOST_BYTES = 100_000;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Errors that say which document or operation cannot be used. */
const TYPED: ReadonlySet<unknown> = new Set(['OPENAPI_DOCUMENT_INVALID', 'OPENAPI_OPERATION_UNSUPPORTED']);

/** What came of one document. */
export interface CheckedDocument {
  /** One check for each operation, and one for the document. */
  readonly checks: readonly Check[];
  /** Typed errors, which are as good as tools and are noted. */
  readonly errors: readonly string[];
}

/** Every operation of a document is a tool that can be declared, or a typed error. */
export async function checkDocument(name: string, path: string): Promise<CheckedDocument> {
  const toolset = openApiToolset(path, { baseUrl: 'https://api.example.com' });
  try {
    const tools = await toolset.listTools();
    const expected = countOperations(path);
    const found = tools.length + toolset.skipped.length;
    const count =
      found === expected ? undefined : `${String(found)} of ${String(expected)} operations were found`;
    const names = new Set(tools.map((tool) => tool.name));
    const unique = names.size === tools.length ? undefined : 'two tools have one name';
    return {
      checks: [
        { what: name, fault: count ?? unique },
        ...tools.map((tool) => ({ what: `${name}, ${tool.name}`, fault: faultOf(tool) })),
        ...toolset.skipped.map(({ operation }) => ({ what: `${name}, ${operation}` })),
      ],
      errors: toolset.skipped.map(({ message }) => `${name}: ${message}`),
    };
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    const message = messageOf(error);
    return TYPED.has(code)
      ? { checks: [{ what: name, fault: refusalFault(name, message) }], errors: [`${name}: ${message}`] }
      : { checks: [{ what: name, fault: message }], errors: [] };
  } finally {
    await toolset.close();
  }
}

function faultOf(tool: RestApiTool): string | undefined {
  if (!LEGAL_NAME.test(tool.name)) return 'its name is not legal';
  const declaration = tool.declaration();
  const schema = declaration.parametersJsonSchema as JsonSchema;
  const bytes = Buffer.byteLength(JSON.stringify(declaration));
  if (bytes >= MOST_BYTES) return `its declaration has ${String(bytes)} bytes`;
  try {
    new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    const sent = toGeminiSchema(schema);
    const sentBytes = Buffer.byteLength(JSON.stringify(sent));
    if (sentBytes >= MOST_BYTES) return `its declaration for Gemini has ${String(sentBytes)} bytes`;
    const kept = Object.keys(sent['properties'] ?? {});
    const lost = Object.keys(schema['properties'] as object).find((one) => !kept.includes(one));
    return lost === undefined ? undefined : `its parameter ${lost} is lost`;
  } catch (error) {
    return messageOf(error);
  }
}

/** A document that has to be refused is refused for what it is. */
function refusalFault(name: string, message: string): string | undefined {
  const isSwagger = name.includes('swagger2.0');
  return isSwagger === message.includes('it is Swagger') ? undefined : message;
}

/** The operations of a document, counted by another reader. */
function countOperations(path: string): number {
  const document = parse(readFileSync(path, 'utf8'), { maxAliasCount: -1 }) as { readonly paths?: object };
  const items = Object.values(document.paths ?? {}) as object[];
  return items.reduce((sum, item) => sum + METHODS.filter((method) => method in item).length, 0);
}
