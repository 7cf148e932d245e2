import type { Plugin } from '@adorn/core';
import { DATA_FLOW_RULES, DataFlowPlugin, type DataFlowRule } from '@adorn/guards';

import type { WorldTool } from './world.js';

/** How an application protects itself. */
export interface Protection {
  readonly name: string;
  /** The tool as this application declares it. */
  readonly declare: (tool: WorldTool) => WorldTool;
  readonly plugins: () => readonly Plugin[];
  /** The kinds of attacks that it has to stop, all of them. */
  readonly stops: readonly string[];
}

const INSIDE: DataFlowRule = { label: 'untrusted', when: 'read', effects: ['write'], decision: 'ask' };

export const PROTECTIONS: readonly Protection[] = [
  {
    name: 'no protection',
    declare: ({ untrusted: _untrusted, confidential: _confidential, outside: _outside, ...tool }) => tool,
    plugins: () => [],
    stops: [],
  },
  {
    name: 'the mark of the conversation',
    declare: ({ confidential: _confidential, outside = false, ...tool }) => ({
      ...tool,
      sensitive: tool.effect === 'destructive' || (outside && tool.effect !== 'read'),
    }),
    plugins: () => [],
    stops: ['deed'],
  },
  {
    name: 'labels and rules',
    declare: (tool) => tool,
    plugins: () => [new DataFlowPlugin()],
    stops: ['deed', 'leak'],
  },
  {
    name: 'and a rule for writes',
    declare: (tool) => tool,
    plugins: () => [new DataFlowPlugin({ rules: [...DATA_FLOW_RULES, INSIDE] })],
    stops: ['deed', 'leak', 'inside'],
  },
];
