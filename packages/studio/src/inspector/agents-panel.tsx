import { useState } from 'preact/hooks';

import { Effect } from '../conversation/call-card.js';
import { app } from '../page/address.js';
import { type AgentJson, graph, type ToolJson } from '../server/app-graph.js';
import { apps } from '../server/session-list.js';
import { Playground } from './playground.js';

/** The tree of agents with their tools. A tool opens the playground. */
export function AgentsPanel() {
  const known = graph.value;
  const root = apps.value.find(({ name }) => name === app.value);
  if (known === undefined)
    return (
      <>
        {root !== undefined && (
          <section class="agent">
            <h3>{root.agent}</h3>
            <p class="muted">{root.description}</p>
          </section>
        )}
        <p class="empty">This server does not tell the tools of its agents.</p>
      </>
    );
  const rootName = typeof known.root === 'string' ? known.root : (known.root?.name ?? known.agents[0]?.name);
  return (
    <ul class="agents">
      <Agent name={rootName ?? ''} agents={known.agents} seen={new Set()} />
    </ul>
  );
}

function Agent({
  name,
  agents,
  seen,
}: {
  readonly name: string;
  readonly agents: readonly AgentJson[];
  readonly seen: ReadonlySet<string>;
}) {
  const agent = agents.find((one) => one.name === name);
  if (agent === undefined || seen.has(name)) return null;
  const { kind, description, model, tools = [], subAgents = [] } = agent;
  const below = new Set([...seen, name]);
  return (
    <li class="agent">
      <div class="agent-card">
        <div class="section-head">
          <h3>{name}</h3>
          <span class="muted">{[kind, model].filter(Boolean).join(' · ')}</span>
        </div>
        {description !== undefined && description !== '' && <p class="muted">{description}</p>}
        {tools.length > 0 && (
          <ul class="tools">
            {tools.map((tool) => (
              <Tool key={tool.name} tool={tool} agent={name} />
            ))}
          </ul>
        )}
      </div>
      {subAgents.length > 0 && (
        <ul class="agents">
          {subAgents.map((child) => (
            <Agent key={child} name={child} agents={agents} seen={below} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Tool({ tool, agent }: { readonly tool: ToolJson; readonly agent: string }) {
  const [isOpen, setOpen] = useState(false);
  const marks = [
    tool.confirm !== undefined && tool.confirm !== false && 'asks',
    tool.auth === true && 'credential',
    tool.longRunning === true && 'long-running',
    tool.untrusted === true && 'untrusted',
    tool.sensitive === true && 'sensitive',
  ].filter((mark): mark is string => mark !== false);
  return (
    <li>
      <button type="button" class="tool" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <code>{tool.name}</code>
        <Effect tool={tool} />
        {marks.map((mark) => (
          <span
            key={mark}
            class={mark === 'untrusted' || mark === 'sensitive' ? 'mark mark-warning' : 'mark'}
          >
            {mark}
          </span>
        ))}
      </button>
      {isOpen && <Playground tool={tool} agent={agent} />}
    </li>
  );
}
