import { readFrames } from '@adorn/server/client';
import { useState } from 'preact/hooks';

import { faultOf as schemaFault, initialValue } from '../forms/schema.js';
import { SchemaForm } from '../forms/schema-form.js';
import { app } from '../page/address.js';
import { Icon } from '../page/icon.js';
import type { AgentTool } from '../server/app-graph.js';
import { type Fault, faultOf, jsonBody, routeOf } from '../server/connection.js';
import { reload, requireSession } from '../server/open-session.js';
import { loadSessions } from '../server/session-list.js';
import { JsonView } from './json-view.js';

/** Calls a tool with arguments of a person, through the dispatcher: every gate of a model's call applies. */
export function Playground({ tool, agent }: { readonly tool: AgentTool; readonly agent: string }) {
  const schema = tool.parameters ?? { type: 'object' };
  const [args, setArgs] = useState<unknown>(initialValue(schema) ?? {});
  const [outcome, setOutcome] = useState<unknown>(undefined);
  const [failed, setFailed] = useState<Fault | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const fault = schemaFault(schema, args, 'The arguments');
  const run = async () => {
    setBusy(true);
    setFailed(undefined);
    try {
      setOutcome(await callTool(tool.name, agent, args));
    } catch (error) {
      setFailed(faultOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="playground"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      {tool.description !== '' && <p class="muted">{tool.description}</p>}
      <SchemaForm schema={schema} value={args} onChange={setArgs} label="Arguments" />
      <button type="submit" class="button button-main" disabled={isBusy || fault !== undefined} title={fault}>
        <Icon name="play" /> {isBusy ? 'Running…' : 'Run'}
      </button>
      {failed !== undefined && (
        <p class="call-error" role="alert">
          {failed.message}
        </p>
      )}
      {outcome !== undefined && <JsonView value={outcome} depth={2} label="Result" />}
    </form>
  );
}

/** The result of the call; it is logged in the session on the page, or in a new one. */
async function callTool(tool: string, agent: string, args: unknown): Promise<unknown> {
  const name = app.value ?? '';
  const { id } = await requireSession(`Call of ${tool}`);
  const path = `/sessions/${encodeURIComponent(id)}/calls`;
  const response = await fetch(routeOf(name, path), {
    ...jsonBody({ tool, args, agent }),
    credentials: 'include',
  });
  if (response.status === 404) throw new Error('This server has no playground.');
  if (!response.ok)
    throw new Error(((await response.json()) as { error?: string }).error ?? 'The call failed.');
  let outcome: unknown = 'The call waits for an answer: see the conversation.';
  for await (const frame of readFrames(response)) if (frame.kind === 'result') outcome = frame.response;
  await reload();
  void loadSessions();
  return outcome;
}
