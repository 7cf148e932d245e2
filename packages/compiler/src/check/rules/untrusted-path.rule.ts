import type { FoundAgent } from '../tools/found-agent.js';
import type { FoundTool } from '../tools/found-tool.js';
import type { Finding, Rule } from './rule.js';

export const untrustedPath: Rule = {
  name: 'untrusted-path',
  severity: 'note',
  about: 'a way from the results of an `untrusted` tool to the calls of a `sensitive` one, in one agent tree',
  ofAgent: (agent) => {
    const offers = offersIn(agent);
    const sources = offers.filter(({ tool }) => tool.untrusted === true);
    const targets = offers.filter(({ tool }) => tool.sensitive === true);
    return sources.flatMap((source) =>
      targets.filter((target) => meetsFirstIn(source, target)).map((target) => pathOf(agent, source, target)),
    );
  },
};

/** A tool of an agent in a tree. */
interface Offer {
  readonly tool: FoundTool;
  readonly agent: string;
  /** The sub-agent of the tree's root below which it is; undefined for the root's own tools. */
  readonly branch: FoundAgent | undefined;
}

function offersIn(root: FoundAgent): Offer[] {
  const own = root.tools.map((tool) => ({ tool, agent: root.name, branch: undefined }));
  const below = root.subAgents.flatMap((branch) => offersIn(branch).map((offer) => ({ ...offer, branch })));
  return [...own, ...below];
}

/** A pair within one branch is a finding of that branch. */
function meetsFirstIn(source: Offer, target: Offer): boolean {
  return source.branch === undefined || source.branch !== target.branch;
}

function pathOf({ name, node }: FoundAgent, source: Offer, target: Offer): Finding {
  const message =
    `Agent ${name}: results of ${source.tool.name} (${source.agent}) can lead to calls of ${target.tool.name} ` +
    `(${target.agent}).`;
  return { node, message, cure: 'A person confirms such calls. Keep the two in separate trees to avoid it.' };
}
