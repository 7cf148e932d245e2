import { useState } from 'preact/hooks';

import { Effect } from '../conversation/call-parts.js';
import { app } from '../page/address.js';
import { type AgentEntry, type AgentTool, graph, type UntrustedPath } from '../server/app-graph.js';
import { apps } from '../server/session-list.js';
import { Playground } from './playground.js';

/** The tree of agents with their tools, and the ways of untrusted results to sensitive calls. A tool opens the playground. */
export function AgentsPanel() {
  const known = graph.value;
  if (!known) return <UnknownAgents />;
  return (
    <>
      {known.untrustedPaths.length > 0 && <UntrustedPaths paths={known.untrustedPaths} />}
      <ul class="agents">
        <Agent agent={known.root} />
      </ul>
    </>
  );
}

function UnknownAgents() {
  const root = apps.value.find(({ name }) => name === app.value);
  return (
    <>
      {root !== undefined && <h3>{root.agent}</h3>}
      <p class="muted">{root?.description}</p>
      <p class="empty">The tools of the agents are shown to developers only.</p>
    </>
  );
}

function UntrustedPaths({ paths }: { readonly paths: readonly UntrustedPath[] }) {
  return (
    <section class="request-warning">
      <h3>Untrusted results can reach sensitive calls</h3>
      <ul>
        {paths.map(({ from, to }) => (
          <li key={`${from.agent}.${from.tool}-${to.agent}.${to.tool}`}>
            <code>{from.tool}</code> of {from.agent} → <code>{to.tool}</code> of {to.agent}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Agent({ agent }: { readonly agent: AgentEntry }) {
  const { name, model, tools, transfers, isCalled, subAgents } = agent;
  const others = transfers.map((path) => path.split('/').at(-1) ?? path);
  return (
    <li class="agent">
      <div class="agent-card">
        <div class="section-head">
          <h3>{name}</h3>
          <span class="muted">
            {[isCalled && 'called as a tool', model ?? 'own code'].filter(Boolean).join(' · ')}
          </span>
        </div>
        {others.length > 0 && <p class="muted">hands over to {others.join(', ')}</p>}
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
            <Agent key={child.path} agent={child} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Tool({ tool, agent }: { readonly tool: AgentTool; readonly agent: string }) {
  const [isOpen, setOpen] = useState(false);
  const warnings = [tool.untrusted && 'untrusted', tool.sensitive && 'sensitive'].filter(
    (mark) => mark !== false,
  );
  return (
    <li>
      <button type="button" class="tool" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <code>{tool.name}</code>
        {tool.gates.map((gate) => (
          <span key={gate} class="mark">
            {gate}
          </span>
        ))}
        {warnings.map((mark) => (
          <span key={mark} class="mark mark-warning">
            {mark}
          </span>
        ))}
        <Effect tool={tool} />
      </button>
      {isOpen && <Playground tool={tool} agent={agent} />}
    </li>
  );
}
