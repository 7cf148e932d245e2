import type { FunctionDeclaration, GenerateContentConfig } from '../../content/genai-types.js';
import { ReadonlyContext } from '../../invocation/callback-context.js';
import { type Tool } from '../../tools/tool.js';
import { ToolTable } from '../../tools/tool-table.js';
import type { RequestProcessor, TurnRequest } from '../request-plan.js';
import type { TurnAgent } from '../turn-agent.js';

/** What the model may call, all in one entry, and what tools change in a request themselves. */
export const toolsProcessor: RequestProcessor = (agent, draft) => {
  draft.config = withDeclarations(draft.config, agent.tools.tools);
  if (agent.toolsets.length > 0) draft.steps.push((request) => addToolsets(request, agent));
  for (const tool of agent.tools.tools) {
    if (tool.processRequest === undefined) continue;
    draft.steps.push((request) =>
      tool.processRequest?.(request, new ReadonlyContext(request.context, agent)),
    );
  }
};

async function addToolsets(request: TurnRequest, agent: TurnAgent): Promise<void> {
  const context = new ReadonlyContext(request.context, agent);
  const listed = await Promise.all(agent.toolsets.map(async (toolset) => toolset.listTools(context)));
  const tools = listed.flat();
  request.tools = await ToolTable.build(agent.name, tools, agent.tools);
  request.config = withDeclarations(request.config, tools);
  for (const tool of tools) await tool.processRequest?.(request, context);
}

function withDeclarations(config: GenerateContentConfig, tools: readonly Tool[]): GenerateContentConfig {
  const added = tools.map(declarationOf).filter((declaration) => declaration !== undefined);
  if (added.length === 0) return config;
  const others = (config.tools ?? []).filter((entry) => !hasDeclarations(entry));
  const present = (config.tools ?? []).filter(hasDeclarations).flatMap((entry) => entry.functionDeclarations);
  return { ...config, tools: [{ functionDeclarations: [...present, ...added] }, ...others] };
}

const STILL_PENDING =
  'NOTE: This is a long-running operation. Do not call this tool again if it has already returned some ' +
  'intermediate or pending status.';

/** A model that gets a handle, and no result, is tempted to call a long-running tool again. */
function declarationOf(tool: Tool): FunctionDeclaration | undefined {
  const declaration = tool.declaration();
  if (declaration === undefined || tool.traits.longRunning !== true) return declaration;
  const { description = '' } = declaration;
  return {
    ...declaration,
    description: description === '' ? STILL_PENDING : `${description}\n${STILL_PENDING}`,
  };
}

function hasDeclarations(entry: object): entry is { functionDeclarations: FunctionDeclaration[] } {
  return 'functionDeclarations' in entry && Array.isArray(entry.functionDeclarations);
}
