import type { FunctionDeclaration, GenerateContentConfig } from '../content/genai-types.js';
import { ProviderTool } from '../tools/builtin/provider.tool.js';
import { isLongRunning, type Tool } from '../tools/tool.js';

/**
 * A config with the declarations of tools behind those that it has, and the entries of tools that the model's provider runs.
 * A kind of such a tool that the config has already is left as it is. The same list of tools added to the same `tools` of a
 * config gives the same object, so that a request does not declare them anew.
 */
export function withDeclarations(
  config: GenerateContentConfig,
  tools: readonly Tool[],
): GenerateContentConfig {
  if (tools.length === 0) return config;
  const before = config.tools;
  let known = extensions.get(tools);
  if (known === undefined || known.before !== before) {
    known = { before, after: extended(before, tools) };
    extensions.set(tools, known);
  }
  return known.after === before ? config : { ...config, tools: known.after };
}

type ConfigTools = GenerateContentConfig['tools'];

/** The tools of a config before and after a list of tools was added. */
interface Extension {
  readonly before: ConfigTools;
  readonly after: ConfigTools;
}

const extensions = new WeakMap<readonly Tool[], Extension>();

function extended(before: ConfigTools, tools: readonly Tool[]): ConfigTools {
  const present = before ?? [];
  const kinds = new Set(present.flatMap((entry) => Object.keys(entry)));
  const declared = tools.map(declarationOf).filter((declaration) => declaration !== undefined);
  const provided = tools
    .filter((tool): tool is ProviderTool => tool instanceof ProviderTool)
    .filter(({ kind }) => !kinds.has(kind));
  if (declared.length + provided.length === 0) return before;
  const earlier = present.filter(hasDeclarations).flatMap((entry) => entry.functionDeclarations);
  const functionDeclarations = [...earlier, ...declared];
  return [
    ...(functionDeclarations.length > 0 ? [{ functionDeclarations }] : []),
    ...present.filter((entry) => !hasDeclarations(entry)),
    ...provided.map(({ entry }) => entry),
  ];
}

const STILL_PENDING =
  'NOTE: This is a long-running operation. Do not call this tool again if it has already returned some ' +
  'intermediate or pending status.';

/** A model that gets a handle, and no result, is tempted to call a long-running tool again. */
function declarationOf(tool: Tool): FunctionDeclaration | undefined {
  const declaration = tool.declaration();
  if (declaration === undefined || !isLongRunning(tool.traits)) return declaration;
  const { description = '' } = declaration;
  return {
    ...declaration,
    description: description === '' ? STILL_PENDING : `${description}\n${STILL_PENDING}`,
  };
}

function hasDeclarations(entry: object): entry is { functionDeclarations: FunctionDeclaration[] } {
  return 'functionDeclarations' in entry && Array.isArray(entry.functionDeclarations);
}
