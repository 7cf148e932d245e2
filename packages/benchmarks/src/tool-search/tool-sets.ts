import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { declareFunctions } from '@adorn/conformance/bfcl/declared-function';
import type { FunctionDocument } from '@adorn/conformance/bfcl/function-document';
import type { StatedCall } from '@adorn/conformance/bfcl/question';
import { readCategories, readLibraries } from '@adorn/conformance/bfcl/read-questions';
import { openApiToolset } from '@adorn/openapi';
import { FunctionTool, type JsonSchema, type Tool, withPrefix } from 'adorn';

import { WRITTEN_QUESTIONS } from './written-questions.js';

/** A question with the name of the tool that it needs. */
export interface ToolQuestion {
  readonly query: string;
  readonly tool: string;
}

/** Published tools with questions. */
export interface ToolSet {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly questions: readonly ToolQuestion[];
}

/** The functions of the leaderboard, one for each name, with the questions that one function answers. */
export function leaderboard(fixtures: string): ToolSet {
  const folder = join(fixtures, 'bfcl');
  const libraries = readLibraries(folder);
  const all = [...readCategories(folder, libraries)]
    .filter(({ name }) => !name.startsWith('multi_turn'))
    .flatMap(({ questions }) => questions);
  const documents = new Map<string, FunctionDocument>();
  for (const document of all.flatMap((question) => question.documents))
    if (!documents.has(document.name)) documents.set(document.name, document);
  const declared = declareFunctions([...documents.values()]);
  const toolOf = new Map(declared.map(({ document, tool }) => [document.name, tool.name]));
  const questions = all.flatMap(({ message, turns }) => {
    const names = new Set(turns.flat().flatMap(namesOf));
    const [name = ''] = names;
    const tool = toolOf.get(name);
    return names.size === 1 && tool !== undefined ? [{ query: message, tool }] : [];
  });
  return { name: 'BFCL, what users say', tools: declared.map(({ tool }) => tool), questions };
}

function namesOf(call: StatedCall): string[] {
  return typeof call === 'string' ? [] : Object.keys(call);
}

interface ApiBankLine {
  readonly role: string;
  readonly api_name?: string;
  readonly param_dict?: { readonly keywords?: string };
  readonly result?: { readonly output?: unknown };
}

interface ApiBankDocument {
  readonly name: string;
  readonly description: string;
  readonly input_parameters: Readonly<Record<string, { readonly description?: string }>>;
}

function isDocument(value: unknown): value is ApiBankDocument {
  return typeof value === 'object' && value !== null && 'input_parameters' in value;
}

/** Dialogues in which a model searches by keywords: each search with the tool that is called for it. */
export function keywordSearches(fixtures: string): ToolSet {
  const folder = join(fixtures, 'api-bank/level-2-toolsearcher');
  const documents = new Map<string, ApiBankDocument>();
  const questions: ToolQuestion[] = [];
  for (const file of readdirSync(folder).sort()) {
    const lines = readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    const calls = lines.map((line) => JSON.parse(line) as ApiBankLine).filter(({ role }) => role === 'API');
    for (const [index, { api_name: name, param_dict: args, result }] of calls.entries()) {
      if (name !== 'ToolSearcher') continue;
      const output = result?.output;
      for (const document of (Array.isArray(output) ? output : [output]) as unknown[])
        if (isDocument(document)) documents.set(document.name, document);
      const called = calls.slice(index + 1).find(({ api_name: other }) => other !== 'GetUserToken');
      if (args?.keywords !== undefined && called?.api_name !== undefined)
        questions.push({ query: args.keywords, tool: called.api_name });
    }
  }
  const tools = [...documents.values()].map(({ name, description, input_parameters: parameters }) =>
    toolNamed(name, description, {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(parameters).map(([key, { description: told = '' }]) => [key, { description: told }]),
      ),
    }),
  );
  const known = new Set(documents.keys());
  return {
    name: 'API-Bank, keywords of a model',
    tools,
    questions: questions.filter(({ tool }) => known.has(tool)),
  };
}

/** APIs of companies, each with its name before those of its operations. */
const APIS = {
  figma: 'figma.yaml',
  notion: 'notion.json',
  museum: 'museum-3.1.yaml',
  petstore: 'petstore-swagger-3.0.yaml',
  twilio: 'twilio_lookups_v2.json',
  xero: 'xero_assets.yaml',
  box: 'box-v2026.json',
} as const;

/** The operations of APIs and the tools of MCP servers, with questions written for this. */
export async function companyApis(fixtures: string): Promise<ToolSet> {
  const lists = Object.entries(APIS).map(async ([prefix, file]) => {
    const toolset = openApiToolset(join(fixtures, 'openapi/real', file), {
      baseUrl: 'https://api.example.com',
    });
    return withPrefix(toolset, prefix).listTools({} as never);
  });
  const operations = (await Promise.all(lists)).flat();
  const folder = join(fixtures, 'protocol/mcp-real-tools');
  const ofServers = existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .flatMap((file) => serverTools(join(folder, file)))
    : [];
  const tools = [...operations, ...ofServers];
  const known = new Set(tools.map(({ name }) => name));
  for (const [question, tool] of WRITTEN_QUESTIONS)
    if (!known.has(tool)) throw new Error(`No tool "${tool}" for the question "${question}".`);
  const questions = WRITTEN_QUESTIONS.map(([query, tool]) => ({ query, tool }));
  return { name: 'OpenAPI and MCP, written for this', tools, questions };
}

interface PublishedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
}

function serverTools(file: string): Tool[] {
  const published = JSON.parse(readFileSync(file, 'utf8')) as readonly PublishedTool[];
  return published.map(({ name, description = '', inputSchema }) =>
    toolNamed(name.replaceAll('-', '_'), description, inputSchema),
  );
}

function toolNamed(name: string, description: string, parameters: JsonSchema): Tool {
  return new FunctionTool({ name, description, parameters, run: () => 'done' });
}
