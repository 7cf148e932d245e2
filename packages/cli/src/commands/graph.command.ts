import { agentGraph } from '@adorn/core/compiler';
import { Command } from 'commander';

import { toMermaid } from '../graph/to-mermaid.js';
import { toSvg } from '../graph/to-svg.js';
import { loadRunner } from './load-runner.js';

interface GraphOptions {
  readonly svg?: boolean;
  readonly json?: boolean;
}

/**
 * `adorn graph`: the agents of an application with their tools, as a diagram.
 *
 * @param bin the URL of the command
 */
export function graphCommand(
  bin: string,
  output: { write(text: string): unknown } = process.stdout,
): Command {
  return new Command('graph')
    .description('print the agents with their tools, gates and transfers as Mermaid or SVG')
    .argument(
      '[file]',
      'a .js or .ts file that exports an agent or a runner, or a folder that holds one',
      '.',
    )
    .option('--svg', 'print an SVG document (default: a Mermaid flowchart)')
    .option('--json', 'print the graph as JSON')
    .addHelpText('after', AFTER)
    .action(async (file: string, { svg, json }: GraphOptions) => {
      await using runner = await loadRunner(file, bin, {});
      const graph = agentGraph(runner.root);
      if (json === true) output.write(`${JSON.stringify(graph, undefined, 2)}\n`);
      else output.write(svg === true ? toSvg(graph) : toMermaid(graph));
    });
}

const AFTER = `
Brackets after a tool list its gates and policies: confirm (confirm? if it depends on the call), auth, policies.
A thick line leads from the results of an untrusted tool to the calls of a sensitive one.
The tools of toolsets are known only at run time, so the classes of toolsets are shown.

Examples:
  $ adorn graph src/support.agent.ts > agents.mmd
  $ adorn graph . --svg > agents.svg
`;
