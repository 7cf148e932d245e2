import { type UntrustedPath, untrustedPaths } from '@adorn/core/compiler';

import type { FoundAgent, FoundTool } from '../tools/found-tool.js';
import type { Finding, Rule } from './rule.js';

export const untrustedPath: Rule = {
  name: 'untrusted-path',
  severity: 'note',
  about: 'a way from the results of an `untrusted` tool to the calls of a `sensitive` one, in one agent tree',
  ofAgent: (agent) => untrustedPaths(agent).map((path) => findingOf(agent, path)),
};

function findingOf({ name, node }: FoundAgent, { source, target }: UntrustedPath<FoundTool>): Finding {
  const message =
    `Agent ${name}: results of ${source.tool.name} (${source.agent}) can lead to calls of ${target.tool.name} ` +
    `(${target.agent}).`;
  return { node, message, cure: 'A person confirms such calls. Keep the two in separate trees to avoid it.' };
}
