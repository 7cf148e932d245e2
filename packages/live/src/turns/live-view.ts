import type { Content } from '@adorn/core';
import { isSameJson, type OpenTurn, type TurnModelRequest } from '@adorn/core/backend';
import type { LiveConversation } from './live-conversation.js';

/** What `beforeModel` has made of a message of the user. */
export interface JudgedMessage {
  readonly request: TurnModelRequest;
  /** The message for the model. */
  readonly sent: Content;
  /** The answer in place of the model's. */
  readonly answer: Content | undefined;
}

/**
 * What a live model is told: the request that the agent would send in a text run. A connection begins with all of it. What
 * tools and instructions add to it later is told to the connection that is open.
 */
export class LiveView {
  /** The opened tools that the connection has. */
  private opened = '';

  constructor(
    private readonly turn: OpenTurn,
    private readonly shared: LiveConversation,
  ) {}

  /** The request with which a connection begins, after the callbacks. */
  async begin(): Promise<TurnModelRequest> {
    const { agent, context, sink } = this.turn;
    const request = await this.turn.firstRequest();
    this.shared.forgetAdded();
    this.notSent(request.added, true);
    this.opened = this.turn.opened;
    if (!agent.callbacks.beforeModel) return request;
    await agent.callbacks.beforeModel(request, request.callbackContext);
    const actions = request.drainActions();
    if (actions) await sink.emit(context.event({ author: agent.name, actions }));
    return request;
  }

  /** The request of a text run at this moment. */
  now(): Promise<TurnModelRequest> {
    return this.turn.request();
  }

  /** True if tools or instructions add contents to requests, or callbacks judge messages. */
  get isJudged(): boolean {
    return this.turn.agent.callbacks.beforeModel !== undefined || this.turn.isAddedTo;
  }

  /** Has the callbacks judge a message of the user, and sends the model what was added to its request. */
  async judged(message: Content): Promise<JudgedMessage> {
    const { agent } = this.turn;
    const request = await this.now();
    const { contents: before, added } = request;
    const response = await agent.callbacks.beforeModel?.(request, request.callbackContext);
    const { contents: after } = request;
    const changed = (content: Content | undefined): Content | undefined => {
      const index = content ? before.indexOf(content) : -1;
      if (content && after.includes(content)) return content;
      return after.length === before.length ? after[index] : undefined;
    };
    const own = before.findLast((one) => isSameJson(one, message));
    this.sendNew(
      added.flatMap((content) => changed(content) ?? []),
      true,
    );
    return { request, sent: changed(own) ?? message, answer: response?.content };
  }

  /** Sends the model what a response has added to the request. */
  async sendAdded(): Promise<void> {
    if (!this.turn.isAddedTo) return;
    this.sendNew((await this.now()).added, false);
  }

  /** True if tools were opened since the connection has begun. */
  get hasNewTools(): boolean {
    return this.turn.opened !== this.opened;
  }

  private sendNew(added: readonly Content[], isOnce: boolean): void {
    for (const content of this.notSent(added, isOnce)) this.shared.sendAdded(content);
  }

  private notSent(added: readonly Content[], isOnce: boolean): Content[] {
    return added.filter((content) => this.shared.isNews(content, isOnce));
  }
}
