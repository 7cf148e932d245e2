import { baseOf, type ClassReference } from '../../metadata/class-metadata.js';
import type { DerivedFunction } from '../../schema/derived-class.js';
import { writtenRecord } from '../../schema/derived-records.js';
import type { DefinedTool } from '../../tools/defined.tool.js';
import { isPlainFunction, type ToolFunction } from '../../tools/plain-function.js';
import { bareTool, builtTool } from '../../tools/tool-of-function.js';
import type { Tool } from '../../tools/tool.js';
import type { Toolset } from '../../tools/toolset.js';
import type { ToolSource } from '../agent.metadata.js';

/** What stands among an agent's tools, functions made tools. */
export type PlannedSource = ClassReference | Tool | Toolset;

/** Makes the functions among an agent's tools tools, with what `adorn build` wrote about them into the agent. */
export function plannedTools(target: ClassReference, tools: readonly ToolSource[]): PlannedSource[] {
  return tools.map((source) => (isPlainFunction(source) ? plannedFunction(target, source) : source));
}

function plannedFunction(target: ClassReference, work: ToolFunction): DefinedTool {
  const written = writtenFunction(target, work);
  return written === undefined ? bareTool(work) : builtTool(work, written);
}

/** What was built for a function among the tools of an agent, or of a class that it extends. */
export function writtenFunction(target: ClassReference, work: ToolFunction): DerivedFunction | undefined {
  const own = findWritten(writtenRecord(target)?.functions ?? [], work);
  const base = baseOf(target);
  return own ?? (base && writtenFunction(base, work));
}

/** By the function itself, for a minifier changes names; where the build had no name for it, by its own. */
function findWritten(written: readonly DerivedFunction[], work: ToolFunction): DerivedFunction | undefined {
  const itself = written.find((one) => one.function === work);
  return itself ?? written.find((one) => !('function' in one) && one.name === work.name);
}
