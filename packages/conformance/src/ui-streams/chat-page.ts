import { useChat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import { Window } from 'happy-dom';
import { act, createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';

import type { FrontDesk } from './front-desk.js';

type Chat = ReturnType<typeof useChat>;

interface ToolCallOfPage {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: unknown;
}

const MOST_TRIES = 400;

/** A tool that the page runs itself. */
export interface ToolOfPage {
  readonly description: string;
  readonly parameters: object;
  readonly run: (input: unknown) => unknown;
}

/** The tools of a page, by their names. */
export type ToolsOfPage = Readonly<Record<string, ToolOfPage>>;

/** A page with one chat of `useChat`, in a DOM. Opened again, it is the page after a reload. */
export class ChatPage implements AsyncDisposable {
  private current: Chat | undefined;
  private readonly window = new Window();
  private root: Root | undefined;

  private constructor(
    private readonly id: string,
    private readonly tools: ToolsOfPage,
  ) {}

  /**
   * @param isResuming the page loads the messages of its chat, and follows the run that is active
   * @param tools those that the page runs itself
   */
  static async open(
    desk: FrontDesk,
    id: string,
    isResuming = false,
    tools: ToolsOfPage = {},
  ): Promise<ChatPage> {
    const page = new ChatPage(id, tools);
    const { messages } = isResuming ? await desk.json(`/ui-messages/${id}`) : { messages: [] };
    await page.render(desk, messages as UIMessage[], isResuming);
    return page;
  }

  get chat(): Chat {
    if (!this.current) throw new Error('The page is not rendered.');
    return this.current;
  }

  /** The messages, short: `user: Hi`, `assistant: find_order output-available, text Hello`. */
  get shown(): string[] {
    return this.chat.messages.map(({ role, parts }) => {
      const texts = parts.flatMap((part): string[] => {
        if (part.type === 'text') return [`text ${part.text}`];
        return part.type === 'dynamic-tool' ? [`${part.toolName} ${part.state}`] : [];
      });
      return `${role}: ${texts.join(', ')}`;
    });
  }

  async send(text: string): Promise<void> {
    await act(() => this.chat.sendMessage({ text }));
  }

  /** Sends a message, and does not wait for its answer. */
  begin(text: string): void {
    void this.chat.sendMessage({ text });
  }

  /** Answers the newest approval that is asked for. */
  async decide(approved: boolean, reason?: string): Promise<void> {
    const part = this.chat.messages
      .flatMap(({ parts }) => parts)
      .findLast((one) => one.type === 'dynamic-tool' && one.state === 'approval-requested');
    const { id } = (part as { approval?: { id: string } } | undefined)?.approval ?? { id: '' };
    await act(async () => {
      await this.chat.addToolApprovalResponse(
        reason === undefined ? { id, approved } : { id, approved, reason },
      );
    });
  }

  /** Waits until the page shows something. Whoever called checks that it does. */
  async until(isMet: () => boolean): Promise<void> {
    for (let tries = 0; !isMet() && tries < MOST_TRIES; tries++)
      await act(async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
      });
  }

  /** Waits until the chat is ready and its last message ends so. */
  async untilReady(end = ''): Promise<void> {
    await this.until(
      () => this.chat.status !== 'submitted' && this.chat.status !== 'streaming' && this.isAt(end),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await act(async () => {
      this.root?.unmount();
    });
    await this.window.happyDOM.close();
  }

  private isAt(end: string): boolean {
    return this.chat.error !== undefined || (this.shown.at(-1) ?? '').endsWith(end);
  }

  private async render(desk: FrontDesk, messages: UIMessage[], resume: boolean): Promise<void> {
    const { window, id } = this;
    Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });
    const transport = new DefaultChatTransport({
      api: `${desk.url}/ui-messages`,
      headers: desk.headers,
      prepareSendMessagesRequest: ({ api, body, ...request }) => ({
        api: `${api}?resume=true`,
        headers: desk.headers,
        body: {
          ...body,
          id: request.id,
          messages: request.messages,
          trigger: request.trigger,
          tools: this.tools,
        },
      }),
    });
    const sendAutomaticallyWhen = (state: { messages: UIMessage[] }): boolean =>
      lastAssistantMessageIsCompleteWithApprovalResponses(state) ||
      (Object.keys(this.tools).length > 0 && lastAssistantMessageIsCompleteWithToolCalls(state));
    const onToolCall = ({ toolCall }: { toolCall: ToolCallOfPage }): void => {
      const tool = this.tools[toolCall.toolName];
      if (!tool) return;
      const { toolName, toolCallId, input } = toolCall;
      void act(async () => {
        await this.chat.addToolOutput({ tool: toolName, toolCallId, output: tool.run(input) });
      });
    };
    const Page = () => {
      this.current = useChat({ id, transport, messages, resume, sendAutomaticallyWhen, onToolCall });
      return createElement('p', undefined, this.shown.join('\n'));
    };
    const root = createRoot(window.document.body as unknown as Element);
    this.root = root;
    await act(async () => {
      root.render(createElement(Page));
    });
  }
}
