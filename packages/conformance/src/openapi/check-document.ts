import type { JsonSchema } from '@adorn/core';
import { toGeminiSchema } from '@adorn/core/dialects';
import { openApiToolset, type RestApiTool } from '@adorn/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { messageOf } from '../message-of.js';
import type { Check } from '../check.js';
import { asJson, asList, type Json } from '../types/json-shape.js';
import { argumentNames } from './argument-names.js';
import { type DescribedOperation, describedOperations, requestSchema } from './described-operations.js';
import { schemaDifferences } from './schema-differences.js';

const LEGAL_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const MOST_BYTES = 100_000;

/** What has to be refused, by document and operation: a call never goes out without its credential or its values. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['3.0/response-http-behavior.json', 'needs the security scheme api_key, which the document lacks'],
  // Its paths are in another notation than its parameters, so no value would arrive.
  ['real/clickhouse.json', 'has no place in its path'],
  ['3.1/security.json, POST /anything/mutualTLS', 'needs the security scheme mutualTLS'],
]);

function isRefused(what: string, message: string): boolean {
  return [...REFUSED].some(([place, words]) => what.includes(place) && message.includes(words));
}

/** What came of one document. */
export interface CheckedDocument {
  /** One check for each operation that the other reader finds, and one for the document. */
  readonly checks: readonly Check[];
  /** Documents and operations that have to be refused, and were: noted, and not counted as passed. */
  readonly refused: readonly string[];
}

/**
 * Holds the tools of a document against another reader's description of it: each operation is one tool, whose declaration is
 * legal, and has the same parameters, required properties, types and enums. Nothing that Adorn derives is used as expectation.
 */
export async function checkDocument(name: string, path: string): Promise<CheckedDocument> {
  const described = await describedOperations(path);
  const toolset = openApiToolset(path, { baseUrl: 'https://api.example.com' });
  try {
    const tools = await toolset.listTools();
    const byPlace = new Map(
      tools.map((tool): [string, RestApiTool] => [`${tool.operation.method} ${tool.operation.path}`, tool]),
    );
    const isUnique = new Set(tools.map((tool) => tool.name)).size === tools.length;
    const isComplete = tools.length === byPlace.size && tools.length <= described.length;
    const fault = isUnique ? undefined : 'two tools have one name';
    const refused = toolset.skipped.filter(({ operation, message }) =>
      isRefused(`${name}, ${operation}`, message),
    );
    const expected = described.filter(
      ({ method, path: own }) => !refused.some(({ operation }) => operation === `${method} ${own}`),
    );
    return {
      checks: [
        { what: name, fault: fault ?? (isComplete ? undefined : 'there are more tools than operations') },
        ...expected.map((one) => {
          const place = `${one.method} ${one.path}`;
          return { what: `${name}, ${place}`, fault: faultOf(one, byPlace.get(place)) };
        }),
      ],
      refused: refused.map(({ message }) => `${name}: ${message}`),
    };
  } catch (error) {
    const message = messageOf(error);
    const isExpected =
      isRefused(name, message) || (described.length === 0 && message.includes('no operations'));
    return isExpected
      ? { checks: [], refused: [`${name}: ${message}`] }
      : { checks: [{ what: name, fault: message }], refused: [] };
  } finally {
    await toolset.close();
  }
}

function faultOf(described: DescribedOperation, tool: RestApiTool | undefined): string | undefined {
  if (!tool) return 'it is no tool';
  const declaration = tool.declaration();
  const schema = declaration.parametersJsonSchema as JsonSchema & Json;
  try {
    const found = differences(described, schema).join('; ').slice(0, 500);
    return faultOfForm(tool.name, declaration, schema) ?? (found === '' ? undefined : found);
  } catch (error) {
    return messageOf(error);
  }
}

/** What a provider would refuse. */
function faultOfForm(name: string, declaration: object, schema: JsonSchema): string | undefined {
  if (!LEGAL_NAME.test(name)) return 'its name is not legal';
  const bytes = Buffer.byteLength(JSON.stringify(declaration));
  if (bytes >= MOST_BYTES) return `its declaration has ${String(bytes)} bytes`;
  new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  const sent = toGeminiSchema(schema);
  const sentBytes = Buffer.byteLength(JSON.stringify(sent));
  if (sentBytes >= MOST_BYTES) return `its declaration for Gemini has ${String(sentBytes)} bytes`;
  const lost = Object.keys(asJson(schema['properties'])).find((one) => !(one in asJson(sent['properties'])));
  return lost === undefined ? undefined : `its parameter ${lost} is lost`;
}

function differences({ parameters, body, method, root }: DescribedOperation, schema: Json): string[] {
  const properties = asJson(schema['properties']);
  const required = new Set(asList(schema['required']));
  const names = argumentNames(parameters, Object.keys(properties));
  const faults = parameters.flatMap((parameter, index) => {
    const name = names[index];
    if (name === undefined) return [`the parameter ${parameter.name} is lost`];
    const differing = schemaDifferences(
      { schema: parameter.schema, root },
      { schema: properties[name], root: schema },
      name,
    );
    if (parameter.isRequired !== required.has(name)) differing.push(`required of ${name}`);
    return differing;
  });
  const extra = Object.keys(properties).filter((name) => name !== 'body' && !names.includes(name));
  faults.push(...extra.map((name) => `${name} is not in the document`));
  const wanted = ['GET', 'HEAD'].includes(method) ? undefined : body;
  if ((wanted !== undefined) !== 'body' in properties)
    return [...faults, 'the body is lost, or not in the document'];
  if (!wanted) return faults;
  if (wanted.isRequired !== required.has('body')) faults.push('required of the body');
  // Of bytes and texts the declaration says only so.
  if (!/json|form|\*\/\*/.test(wanted.mediaType)) return faults;
  const expected = { schema: requestSchema(wanted.schema), root: requestSchema(root) as Json };
  return [...faults, ...schemaDifferences(expected, { schema: properties['body'], root: schema }, 'body')];
}
