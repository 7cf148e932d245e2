// A page as users of the AI SDK write one, with `useChat`. It runs in the browser.
import { useChat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai';
import { type ReactNode, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

const ID = 'c1';
const app = '/adorn/apps/desk';
const api = `${app}/ui-messages`;
const transport = new DefaultChatTransport({ api, body: { resume: true } });
const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithApprovalResponses;

/** The messages as the server has them. */
async function load(): Promise<UIMessage[]> {
  const response = await fetch(`${api}/${ID}`);
  return ((await response.json()) as { messages: UIMessage[] }).messages;
}

function ChatPage({ initial }: { readonly initial: UIMessage[] }): ReactNode {
  const [text, setText] = useState('');
  /** What the run that is open has not read yet. */
  const waiting = useRef<string[]>([]);
  const chat = useChat({
    id: ID,
    transport,
    messages: initial,
    resume: true,
    sendAutomaticallyWhen,
    onData: ({ type, data }) => {
      if (type !== 'data-message') return;
      waiting.current = waiting.current.filter((sent) => sent !== (data as { text: string }).text);
    },
    // The run ended before it has read a message: the next one reads it.
    onFinish: () => {
      if (waiting.current.length > 0) void follow();
    },
  });
  const follow = async (): Promise<void> => {
    waiting.current = [];
    chat.setMessages(await load());
    await chat.resumeStream();
  };
  const send = (when?: 'next' | 'instead') => chat.sendMessage({ text }, { body: { when } });
  const steer = async (): Promise<void> => {
    waiting.current = [...waiting.current, text];
    const body = JSON.stringify({ message: text, when: 'now' });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${app}/sessions/${ID}/messages`, { method: 'POST', headers, body });
  };
  const stop = () => fetch(`${api}/${ID}/stream`, { method: 'DELETE' });
  return (
    <>
      <ol id="conversation">{chat.messages.flatMap((message) => linesOf(message, chat))}</ol>
      <label>
        Message <input value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <button onClick={() => void send()}>Send</button>
      <button onClick={() => void steer()}>Now</button>
      <button onClick={() => void send('next')}>Next</button>
      <button onClick={() => void send('instead')}>Instead</button>
      <button onClick={() => void stop()}>Stop</button>
      <p role="status">{chat.error?.message ?? chat.status}</p>
    </>
  );
}

function linesOf({ id, role, parts }: UIMessage, chat: ReturnType<typeof useChat>): ReactNode[] {
  return parts.map((part, index) => {
    const key = `${id}-${String(index)}`;
    if (part.type === 'text') return <li key={key}>{`${role}: ${part.text}`}</li>;
    if (part.type === 'data-error') return <li key={key}>{(part.data as { code: string }).code}</li>;
    if (part.type === 'data-message')
      return <li key={key}>{`user: ${(part.data as { text: string }).text}`}</li>;
    if (part.type !== 'dynamic-tool') return undefined;
    const { toolName, state, approval } = part;
    const respond = (approved: boolean) => chat.addToolApprovalResponse({ id: approval?.id ?? '', approved });
    return (
      <li key={key}>
        {`${toolName} ${state}`}
        {state === 'approval-requested' && (
          <>
            <button onClick={() => void respond(true)}>Approve</button>
            <button onClick={() => void respond(false)}>Refuse</button>
          </>
        )}
      </li>
    );
  });
}

const root = document.getElementById('root');
if (root) createRoot(root).render(<ChatPage initial={await load()} />);
