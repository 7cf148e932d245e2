// A page as users of CopilotKit write one. It talks to CopilotKit's own runtime, or to Adorn if there is none.
import { CopilotKit, useCopilotAction, useCopilotReadable } from '@copilotkit/react-core';
import { CopilotChat, HttpAgent, useInterrupt } from '@copilotkit/react-core/v2';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { from } from 'rxjs';

const threadId = 'c1';
const runtimeUrl = new URLSearchParams(location.search).get('runtime') ?? undefined;

function Page() {
  const [theme, setTheme] = useState('white');
  const [rows, setRows] = useState(3);
  useCopilotReadable({ description: 'The theme of the page', value: theme });
  useCopilotAction({
    name: 'set_theme',
    description: 'Sets the colour of the page.',
    parameters: [{ name: 'color', type: 'string', description: 'A colour of CSS.', required: true }],
    handler: ({ color }) => {
      setTheme(color);
      return { set: color };
    },
  });
  useCopilotAction({
    name: 'clear_rows',
    description: 'Removes the rows of the page.',
    parameters: [],
    handler: () => {
      setRows(0);
      return { cleared: rows };
    },
  });
  useInterrupt({
    render: ({ interrupt, resolve }) => (
      <section aria-label="Approval">
        <p>{interrupt.message}</p>
        <button onClick={() => resolve({ approved: true })}>Approve</button>
        <button onClick={() => resolve({ approved: false })}>Refuse</button>
      </section>
    ),
  });
  return (
    <div style={{ height: '100vh', display: 'flex', flexDirection: 'column' }}>
      <p id="page">{`${theme}, ${rows} rows`}</p>
      <CopilotChat threadId={threadId} />
    </div>
  );
}

/** CopilotChat connects its agent to the thread that it shows: Adorn has the messages, and the interrupts that wait. */
class ThreadAgent extends HttpAgent {
  connect({ threadId, runId }) {
    return from(this.load({ threadId, runId }));
  }

  async *load(run) {
    const response = await fetch(`${this.url}/${run.threadId}`);
    const { messages, state, interrupts } = await response.json();
    const outcome = interrupts.length > 0 ? { type: 'interrupt', interrupts } : { type: 'success' };
    yield { type: 'RUN_STARTED', ...run };
    yield { type: 'STATE_SNAPSHOT', snapshot: state };
    yield { type: 'MESSAGES_SNAPSHOT', messages };
    yield { type: 'RUN_FINISHED', ...run, outcome };
  }
}

const direct = { default: new ThreadAgent({ url: '/adorn/apps/desk/ag-ui', threadId }) };
createRoot(document.getElementById('root')).render(
  <CopilotKit
    runtimeUrl={runtimeUrl}
    selfManagedAgents={runtimeUrl ? undefined : direct}
    enableInspector={false}
  >
    <Page />
  </CopilotKit>,
);
