import type { Content } from '../../events/genai-types.js';
import { isSameJson } from '@adorn/schema';
import { openedTools } from '../../tools/toolsets/toolbox.js';
import { eventsOfListing, listToolsets } from '../list-toolsets.js';
import type { TurnModelRequest } from '../model-request.js';
import type { Turn } from '../step.js';
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
  /** The opened toolboxes whose tools the connection has. */
  private opened: unknown;

  constructor(
    private readonly turn: Turn,
    private readonly shared: LiveConversation,
  ) {}

  /** The request with which a connection begins, after the callbacks. */
  async begin(): Promise<TurnModelRequest> {
    const { agent, context, sink } = this.turn;
    const listing = await this.listed();
    if (listing) {
      const { events } = await eventsOfListing(listing, agent, context);
      for (const event of events) await sink.emit(event);
    }
    const request = await agent.requests.build(context, listing);
    this.shared.forgetAdded();
    this.notSent(request.added, true);
    this.opened = openedTools(agent.boxes, context);
    if (!agent.callbacks.beforeModel) return request;
    await agent.callbacks.beforeModel(request, request.callbackContext);
    const actions = request.drainActions();
    if (actions) await sink.emit(context.event({ author: agent.name, actions }));
    return request;
  }

  /** The request of a text run at this moment. */
  async now(): Promise<TurnModelRequest> {
    const { agent, context } = this.turn;
    return agent.requests.build(context, await this.listed());
  }

  private async listed() {
    const { agent, context } = this.turn;
    return agent.toolsets.length > 0 ? listToolsets(agent, context) : undefined;
  }

  /** True if tools or instructions add contents to requests, or callbacks judge messages. */
  get isJudged(): boolean {
    return this.turn.agent.callbacks.beforeModel !== undefined || this.isAddedTo;
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
    if (!this.isAddedTo) return;
    this.sendNew((await this.now()).added, false);
  }

  /** True if toolboxes were opened since the connection has begun. */
  get hasNewTools(): boolean {
    const { agent, context } = this.turn;
    return agent.boxes.length > 0 && openedTools(agent.boxes, context) !== this.opened;
  }

  private sendNew(added: readonly Content[], isOnce: boolean): void {
    for (const content of this.notSent(added, isOnce)) this.shared.sendAdded(content);
  }

  private notSent(added: readonly Content[], isOnce: boolean): Content[] {
    return added.filter((content) => this.shared.isNews(content, isOnce));
  }

  private get isAddedTo(): boolean {
    const { agent } = this.turn;
    if (agent.toolsets.length > 0 || agent.turn.staticInstruction !== undefined) return true;
    return agent.tools.tools.some((tool) => tool.processRequest !== undefined);
  }
}
