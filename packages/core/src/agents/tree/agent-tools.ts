import type { DerivedRecords } from '../../schema/derived-records.js';
import { sourceName } from '../../schema/source-name.js';
import { transferToAgent } from '../../tools/builtin/transfer-to-agent.tool.js';
import { ToolTable } from '../../tools/tool-table.js';
import { toolsOfService } from '../../tools/tools-of-service.js';
import { Tool } from '../../tools/tool.js';
import { Toolset } from '../../tools/toolset.js';
import { answersThroughTool, SetModelResponseTool } from '../../turn/set-model-response.tool.js';
import { transferTargets } from '../../turn/transfer-targets.js';
import type { TurnAgent } from '../../turn/turn-agent.js';
import type { LlmAgentNode } from '../agent-nodes.js';
import type { PlannedOptions } from './agent-plan.js';
import type { PlannedSource } from './planned-tools.js';
import type { TreeResolver } from './tree-resolver.js';

/** What an agent can call: its own `@tool` methods, what it lists, and what its place in the tree adds. */
export async function toolsOf(
  agent: LlmAgentNode,
  options: PlannedOptions,
  talk: Pick<TurnAgent, 'turn' | 'model'>,
  materials: { readonly records: DerivedRecords; readonly resolve: TreeResolver },
): Promise<{ tools: ToolTable; toolsets: readonly Toolset[] }> {
  const sources = [...new Set(options.tools)];
  const toolsets = sources.filter((source): source is Toolset => source instanceof Toolset);
  const listed: Tool[] = [];
  for (const source of sources) listed.push(...(await toolsOfSource(source, materials)));
  const own = toolsOfService(agent.definition, materials.records);
  const handOver = transferTargets(agent).length > 0 ? [transferToAgent] : [];
  const tools = await ToolTable.build(agent.name, [...own, ...listed, ...handOver]);
  if (!answersThroughTool({ ...talk, tools, toolsets })) return { tools, toolsets };
  return { tools: await ToolTable.build(agent.name, [new SetModelResponseTool(talk.turn)], tools), toolsets };
}

async function toolsOfSource(
  source: PlannedSource,
  { records, resolve }: { readonly records: DerivedRecords; readonly resolve: TreeResolver },
): Promise<readonly Tool[]> {
  if (source instanceof Tool) return [source];
  if (source instanceof Toolset) return [];
  return toolsOfService(await resolve(source, sourceName(source)), records);
}
