import { findClasses } from '../extract/find-classes.js';
import type { ts } from '../typescript.js';
import { agentsOfFile } from './tools/agents-of-file.js';
import type { FoundAgent } from './tools/found-agent.js';
import type { FoundService } from './tools/found-service.js';
import type { FoundTool } from './tools/found-tool.js';
import { nameFaults } from './tools/name-faults.js';
import type { ToolsOfProgram } from './tools/tools-of-program.js';

/** Everything in a file that rules look at. */
export interface FoundInFile {
  readonly tools: readonly FoundTool[];
  readonly services: readonly FoundService[];
  readonly agents: readonly FoundAgent[];
}

export function foundInFile(file: ts.SourceFile, tools: ToolsOfProgram): FoundInFile {
  const classes = findClasses(file, tools.world);
  const methods = classes.flatMap(({ node }) => tools.declaredBy(node));
  return {
    tools: [...methods, ...tools.functionsOf(file).values()],
    services: classes.map((one) => ({
      ...one,
      tools: tools.offeredBy(one.node),
      faults: nameFaults(one, 'classes', classes),
    })),
    agents: agentsOfFile(file, tools),
  };
}
