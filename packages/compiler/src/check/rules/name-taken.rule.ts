import { printedPlace } from '../../source/place.js';
import { ts } from '../../typescript.js';
import type { FoundTool } from '../tools/found-tool.js';
import type { Finding, Rule } from './rule.js';

export const nameTaken: Rule = {
  name: 'name-taken',
  severity: 'error',
  about: 'two tools of one name in one class, or among the tools of one agent',
  ofService: ({ tools, node }) =>
    clashes(tools)
      .filter(({ second }) => second.node.parent === node)
      .map((clash) => toFinding(clash, clash.second.node)),
  ofAgent: ({ name, tools, node }) =>
    clashes(tools)
      .filter((clash) => !areOfOneClass(clash))
      .map((clash) => toFinding(clash, node, `Agent ${name} has two tools`)),
};

interface Clash {
  readonly first: FoundTool;
  readonly second: FoundTool;
}

function clashes(tools: readonly FoundTool[]): Clash[] {
  return tools.flatMap((second, index) => {
    const first = tools.slice(0, index).find(({ name }) => name === second.name);
    return first === undefined ? [] : [{ first, second }];
  });
}

function areOfOneClass({ first, second }: Clash): boolean {
  return ts.isClassLike(first.node.parent) && first.node.parent === second.node.parent;
}

function toFinding({ first, second }: Clash, node: Finding['node'], whose = 'Two tools are'): Finding {
  const [one, other] = [first, second].map((tool) => `${tool.origin} (${printedPlace(tool.node)})`);
  return {
    node,
    message: `${whose} called "${second.name}": ${one ?? ''} and ${other ?? ''}.`,
    cure: "Give one of them another name with @tool({ name: '…' }), or a whole class a prefix with @toolbox({ prefix: '…' }).",
    code: 'TOOL_NAME_TAKEN',
  };
}
