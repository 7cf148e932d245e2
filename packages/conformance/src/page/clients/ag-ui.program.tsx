// A page of the client of AG-UI. It runs in the browser.
import { HttpAgent } from '@ag-ui/client';
import type { Message } from '@ag-ui/core';
import { type ReactNode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const THREAD = 'c1';
const app = '/adorn/apps/desk';
const url = `${app}/ag-ui`;

interface Interrupt {
  readonly id: string;
}

async function openThread() {
  const { messages, state, interrupts } = (await (await fetch(`${url}/${THREAD}`)).json()) as {
    messages: Message[];
    state: object;
    interrupts: Interrupt[];
  };
  const agent = new HttpAgent({ url, threadId: THREAD, initialMessages: messages, initialState: state });
  // A message that the run has read meanwhile.
  agent.subscribe({
    onCustomEvent: ({ event: { name, value }, messages: before }) => {
      if (name !== 'message') return;
      const { id, text } = value as { id: string; text: string };
      return { messages: [...before, { id, role: 'user', content: text }] };
    },
  });
  return { agent, interrupts };
}

const thread = await openThread();
const { agent } = thread;
/** The run that goes on. */
let running: Promise<unknown> = Promise.resolve();

function AgUiPage(): ReactNode {
  const [text, setText] = useState('');
  const [messages, setMessages] = useState(agent.messages);
  const [status, setStatus] = useState('ready');
  const [interrupts, setInterrupts] = useState(thread.interrupts);
  useEffect(() => {
    const { unsubscribe } = agent.subscribe({
      onRunInitialized: () => setStatus('running'),
      onRunFinalized: () => setStatus('ready'),
      onMessagesChanged: (change) => setMessages([...change.messages]),
      onRunFinishedEvent: ({ event }) => {
        const { outcome } = event as { outcome?: { interrupts?: Interrupt[] } };
        setInterrupts(outcome?.interrupts ?? []);
      },
    });
    return unsubscribe;
  }, []);
  const send = (when?: 'instead'): void => {
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text });
    running = agent.runAgent({ forwardedProps: { when } });
  };
  const sendNext = async (): Promise<void> => {
    await running;
    send();
  };
  const sendInstead = (): void => {
    agent.abortRun();
    send('instead');
  };
  const sendNow = async (): Promise<void> => {
    const body = JSON.stringify({ message: text, when: 'now' });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${app}/sessions/${THREAD}/messages`, { method: 'POST', headers, body });
  };
  const decide = (approved: boolean): void => {
    const resume = interrupts.map(({ id }) => ({
      interruptId: id,
      status: 'resolved' as const,
      payload: { approved },
    }));
    running = agent.runAgent({ resume });
  };
  return (
    <>
      <ol id="conversation">{messages.flatMap(linesOf)}</ol>
      <label>
        Message <input value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <button onClick={() => send()}>Send</button>
      <button onClick={() => void sendNow()}>Now</button>
      <button onClick={() => void sendNext()}>Next</button>
      <button onClick={sendInstead}>Instead</button>
      <button onClick={() => agent.abortRun()}>Stop</button>
      {interrupts.length > 0 && (
        <>
          <button onClick={() => decide(true)}>Approve</button>
          <button onClick={() => decide(false)}>Refuse</button>
        </>
      )}
      <p role="status">{status}</p>
    </>
  );
}

function linesOf(message: Message): ReactNode[] {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const lines = calls.map((call) => `call ${call.function.name}`);
  const { role, content } = message;
  if (typeof content === 'string') lines.push(role === 'tool' ? resultLine(content) : `${role}: ${content}`);
  return lines.map((line, index) => <li key={`${message.id}-${String(index)}`}>{line}</li>);
}

function resultLine(content: string): string {
  return content.startsWith('{"error"') ? 'failed' : `result ${content}`;
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<AgUiPage />);
