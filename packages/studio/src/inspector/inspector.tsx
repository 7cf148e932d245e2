import { EvalsPanel } from '../evals/evals-panel.js';
import { callId, eventId, select, sessionId, type View, view, VIEWS } from '../page/address.js';
import { isDeveloper } from '../server/app-graph.js';
import { frames, runIds, thread } from '../server/open-session.js';
import { AgentsPanel } from './agents-panel.js';
import { EventPanel } from './event-panel.js';
import { FilesPanel } from './files-panel.js';
import { RunPanel } from './run-panel.js';
import { StatePanel } from './state-panel.js';

const NAMES: Readonly<Record<View, string>> = {
  run: 'Run',
  state: 'State',
  files: 'Files',
  agents: 'Agents',
  evals: 'Evals',
};

/** The views of the application itself are for its developers. */
const OF_DEVELOPERS: ReadonlySet<View> = new Set<View>(['agents', 'evals']);

function isShown(name: View): boolean {
  return isDeveloper.value || !OF_DEVELOPERS.has(name);
}

/** What is selected, in full: the run or one of its events, the state, the files, the agents. */
export function Inspector() {
  return (
    <div class="inspector">
      <div class="segments" role="group" aria-label="Views">
        {VIEWS.filter(isShown).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={view.value === name}
            onClick={() => (view.value = name)}
          >
            {NAMES[name]}
          </button>
        ))}
      </div>
      <Breadcrumb />
      <div class="inspector-body" tabIndex={0} role="region" aria-label={NAMES[view.value]}>
        <Panel />
      </div>
    </div>
  );
}

function Panel() {
  switch (view.value) {
    case 'run':
      return eventId.value === undefined ? <RunPanel /> : <EventPanel id={eventId.value} />;
    case 'state':
      return <StatePanel />;
    case 'files':
      return <FilesPanel />;
    case 'agents':
      return <AgentsPanel />;
    case 'evals':
      return <EvalsPanel />;
  }
}

/** Session, run, agent and call of the selected event. */
function Breadcrumb() {
  const id = eventId.value;
  if (view.value !== 'run' || sessionId.value === undefined || id === undefined) return null;
  const frame = frames.value.find((one) => one.kind !== 'end' && one.eventId === id);
  if (!frame || frame.kind === 'end') return null;
  const run = runIds.value.indexOf(frame.invocationId ?? '') + 1;
  const call = thread.value.find((item) => item.kind === 'call' && item.call.id === callId.value);
  return (
    <nav class="breadcrumb" aria-label="Place">
      <button type="button" class="link" onClick={() => select(undefined)}>
        Run {run}
      </button>
      {(frame.path ?? frame.author ?? '').split('/').map((name, index) => (
        <span key={index}>{name}</span>
      ))}
      {call?.kind === 'call' && <span>{call.call.tool}</span>}
    </nav>
  );
}
