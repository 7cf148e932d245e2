import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openApiToolset, type RestApiTool } from '@adorn/openapi';
import { parse } from 'yaml';

import { messageOf } from '../message-of.js';
import type { Check } from '../check.js';
import { asJson, asList, type Json } from '../types/json-shape.js';
import { schemaDifferences } from './schema-differences.js';

const METHODS: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);
const OPTIONS = { baseUrl: 'https://api.example.com' };

/**
 * A document as large publishers keep theirs, each operation and each list of parameters in a file of its own, has the tools of
 * the document that is one file.
 */
export async function checkSplit(name: string, path: string): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'adorn-split-'));
  try {
    const whole = asJson(parse(await readFile(path, 'utf8')));
    const expected = await toolsOf(path);
    const found = await toolsOf(await split(whole, folder));
    return [...expected].map(([place, tool]) => ({
      what: `${name}, ${place}, in files`,
      fault: differenceOf(tool, found.get(place)),
    }));
  } catch (error) {
    return [{ what: `${name}, in files`, fault: messageOf(error) }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function toolsOf(path: string): Promise<ReadonlyMap<string, RestApiTool>> {
  const toolset = openApiToolset(path, OPTIONS);
  try {
    const tools = await toolset.listTools();
    return new Map(tools.map((tool) => [`${tool.operation.method} ${tool.operation.path}`, tool]));
  } finally {
    await toolset.close();
  }
}

/** Writes the document with its parts in files. @returns the path of the document */
async function split(whole: Json, folder: string): Promise<string> {
  await mkdir(join(folder, 'parts'));
  let count = 0;
  const moved = async (part: unknown): Promise<Json> => {
    const file = `parts/p${String(++count)}.json`;
    await writeFile(join(folder, file), JSON.stringify(part));
    return { $ref: file };
  };
  const paths: Json = {};
  for (const [path, item] of Object.entries(asJson(whole['paths']))) {
    const fields = asJson(item);
    const entries = Object.entries(fields).map(async ([key, part]) => [
      key,
      METHODS.has(key) || (key === 'parameters' && asList(part).length > 0)
        ? await moved(fromParts(part))
        : part,
    ]);
    Object.assign(paths, { [path]: Object.fromEntries((await Promise.all(entries)) as [string, unknown][]) });
  }
  const document = join(folder, 'api.json');
  await writeFile(document, JSON.stringify({ ...whole, paths }));
  return document;
}

/** References of a part to the document, as they are in a file beside it. */
function fromParts(part: unknown): unknown {
  return JSON.parse(JSON.stringify(part), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `../api.json${value}` : value,
  ) as unknown;
}

function differenceOf(expected: RestApiTool, found: RestApiTool | undefined): string | undefined {
  if (found === undefined) return 'it is no tool';
  const [one, other] = [expected, found].map((tool) => tool.declaration());
  if (one?.name !== other?.name || one?.description !== other?.description) return 'its words differ';
  const [schema, own] = [one, other].map((declaration) => asJson(declaration?.parametersJsonSchema));
  if (schema === undefined || own === undefined) return 'it has no schema';
  const faults = schemaDifferences({ schema, root: schema }, { schema: own, root: own }, 'arguments');
  return faults.length === 0 ? undefined : faults.join('; ').slice(0, 500);
}
