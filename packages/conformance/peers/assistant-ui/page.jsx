// A page as users of assistant-ui write one, with its runtime for the AI SDK, or, with `?ag-ui`, its runtime for AG-UI.
import { HttpAgent } from '@ag-ui/client';
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  ExportedMessageRepository,
  MessagePrimitive,
  ThreadPrimitive,
  useAssistantTool,
} from '@assistant-ui/react';
import {
  fromAgUiMessages,
  useAgUiInterrupts,
  useAgUiRuntime,
  useAgUiSubmitInterruptResponses,
} from '@assistant-ui/react-ag-ui';
import { AssistantChatTransport, useAISDKChat, useChatRuntime } from '@assistant-ui/react-ai-sdk';
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from 'ai';
import { useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';

const ID = 'c1';
const app = '/adorn/apps/desk';
const isAgUi = new URLSearchParams(location.search).has('ag-ui');

async function load(path) {
  return (await fetch(`${app}/${path}/${ID}`)).json();
}

/** The tools of the page, which shows its theme and the count of its rows. */
function Page() {
  const [theme, setTheme] = useState('white');
  const [rows, setRows] = useState(3);
  useAssistantTool(
    useMemo(
      () => ({
        toolName: 'set_theme',
        description: 'Sets the colour of the page.',
        parameters: { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] },
        execute: ({ color }) => {
          setTheme(color);
          return { set: color };
        },
      }),
      [],
    ),
  );
  useAssistantTool(
    useMemo(
      () => ({
        toolName: 'clear_rows',
        description: 'Removes the rows of the page.',
        parameters: { type: 'object', properties: {} },
        execute: () => {
          setRows(0);
          return { cleared: true };
        },
      }),
      [],
    ),
  );
  return <p id="page">{`${theme}, ${rows} rows`}</p>;
}

function Thread({ approvals }) {
  return (
    <ThreadPrimitive.Root>
      <ThreadPrimitive.Viewport>
        <ThreadPrimitive.Messages components={{ Message }} />
        {approvals}
      </ThreadPrimitive.Viewport>
      <ComposerPrimitive.Root>
        <ComposerPrimitive.Input aria-label="Message" />
      </ComposerPrimitive.Root>
    </ThreadPrimitive.Root>
  );
}

function Message() {
  return (
    <MessagePrimitive.Root>
      <MessagePrimitive.Parts components={{ tools: { Fallback: ToolCall }, data: { Fallback: Data } }} />
    </MessagePrimitive.Root>
  );
}

function ToolCall({ toolName, approval, respondToApproval }) {
  if (isAgUi || !approval || approval.approved !== undefined) return <p>{toolName}</p>;
  return <Approval text={`Run ${toolName}?`} onAnswer={(approved) => respondToApproval({ approved })} />;
}

/** A tool of the page that is to be approved is a request: the page learns of the call when it has been. */
function Data({ name, data }) {
  const chat = useAISDKChat();
  const [isAnswered, setAnswered] = useState(false);
  if (name !== 'request' || isAnswered) return null;
  const answer = (approved) => {
    setAnswered(true);
    void chat.sendMessage(undefined, { body: { answer: { requestId: data.id, approved } } });
  };
  return <Approval text={data.hint} onAnswer={answer} />;
}

function Interrupts() {
  const interrupts = useAgUiInterrupts();
  const submit = useAgUiSubmitInterruptResponses();
  const answer = (approved) =>
    submit(interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved } })));
  return interrupts.map(({ id, message }) => <Approval key={id} text={message} onAnswer={answer} />);
}

function Approval({ text, onAnswer }) {
  return (
    <section aria-label="Approval">
      <p>{text}</p>
      <button onClick={() => onAnswer(true)}>Approve</button>
      <button onClick={() => onAnswer(false)}>Refuse</button>
    </section>
  );
}

const transport = new AssistantChatTransport({
  api: `${app}/ui-messages`,
  // Otherwise the id of the chat is one of the page, and new after a reload.
  prepareSendMessagesRequest: ({ body, messages, trigger }) => ({
    body: { ...body, id: ID, messages, trigger },
  }),
});

function sendAutomaticallyWhen(chat) {
  return (
    lastAssistantMessageIsCompleteWithApprovalResponses(chat) ||
    lastAssistantMessageIsCompleteWithToolCalls(chat)
  );
}

function AiSdkPage({ messages }) {
  const runtime = useChatRuntime({ messages, transport, sendAutomaticallyWhen });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Page />
      <Thread />
    </AssistantRuntimeProvider>
  );
}

const agent = new HttpAgent({ url: `${app}/ag-ui`, threadId: ID });

/** The thread as Adorn has it. The interrupts that wait belong to its last message. */
const history = {
  async load() {
    const thread = await load('ag-ui');
    const messages = fromAgUiMessages(thread.messages);
    const last = messages.at(-1);
    if (thread.interrupts.length > 0) {
      last.status = { type: 'requires-action', reason: 'interrupt' };
      last.metadata = { ...last.metadata, custom: { agui: { interrupts: thread.interrupts } } };
    }
    return ExportedMessageRepository.fromArray(messages);
  },
  async append() {},
};

function AgUiPage() {
  const runtime = useAgUiRuntime({ agent, adapters: { history } });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Page />
      <Thread approvals={<Interrupts />} />
    </AssistantRuntimeProvider>
  );
}

const page = isAgUi ? <AgUiPage /> : <AiSdkPage {...await load('ui-messages')} />;
createRoot(document.getElementById('root')).render(page);
