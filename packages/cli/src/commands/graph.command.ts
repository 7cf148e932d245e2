import { agentGraph } from '@adorn/core/compiler';

import { defineCommand } from '../command/declaration.js';
import { flag } from '../command/parameter.js';
import { FILE, json } from '../command/shared-parameters.js';
import { toMermaid } from '../graph/to-mermaid.js';
import { toSvg } from '../graph/to-svg.js';
import { printJson } from '../terminal/print.js';
import { WorkInProgress } from '../terminal/work-in-progress.js';
import { loadRunner } from './load-runner.js';

/** `adorn graph`: the agents of an application with their tools, as a diagram. */
export const graphCommand = defineCommand({
  name: 'graph',
  summary: 'print the agents with their tools, gates and transfers as Mermaid or SVG',
  arguments: { file: FILE },
  options: {
    svg: flag('print an SVG document (default: a Mermaid flowchart)', { conflicts: ['json'] }),
    json: json('print the graph as JSON'),
  },
  notes: `
Brackets after a tool list its gates and policies: confirm (confirm? if it depends on the call), auth, policies. A thick line
leads from the results of an untrusted tool to the calls of a sensitive one. The tools of toolsets are known only at run time, so
the classes of toolsets are shown.`,
  examples: ['adorn graph src/support.agent.ts > agents.mmd', 'adorn graph . --svg > agents.svg'],
  async run({ file, svg, json: isJson }, { bin, output, errors }) {
    using working = new WorkInProgress(errors, !isJson);
    await using runner = await loadRunner(file, bin, { working });
    const graph = agentGraph(runner.root);
    working.done();
    if (isJson) printJson(output, graph);
    else output.write(svg ? toSvg(graph) : toMermaid(graph));
  },
});
