import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A message of the bot, as a method of Slack's Web API was given it. */
interface BotMessage {
  readonly text: string;
  /** Who alone sees it. */
  readonly user?: string;
  readonly blocks?: readonly { readonly elements?: readonly Button[] }[];
}

interface Button {
  readonly action_id: string;
  readonly value: string;
  readonly text: { readonly text: string };
}

const TEAM = 'T0SHOP';
const CHANNEL = 'C0DESK';

/**
 * A Slack with one channel and one thread in it, for trying without one: it takes what a bot writes by the Web API, sends signed
 * events to the bot, and prints the conversation as people see it.
 */
export class OfflineSlack implements AsyncDisposable {
  readonly signingSecret = 'the signing secret of nobody';
  readonly botToken = 'xoxb-offline';
  private readonly messages: BotMessage[] = [];
  private readonly edits: string[] = [];
  private seen = 0;
  private count = 0;
  private readonly server = createServer((request, response) => {
    void json(request).then((body) => {
      this.take((request.url ?? '').slice(1), body as BotMessage);
      response.end(JSON.stringify({ ok: true, channel: CHANNEL, ts: this.nextTime() }));
    });
  });

  private constructor(private readonly print: (line: string) => void) {}

  static async open(print: (line: string) => void): Promise<OfflineSlack> {
    const slack = new OfflineSlack(print);
    slack.server.listen(0, '127.0.0.1');
    await once(slack.server, 'listening');
    return slack;
  }

  /** The address of its Web API. */
  get apiUrl(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** Somebody writes to the bot, in the thread; waits for its next message. @param bot where the bot takes events */
  async write(bot: string, user: string, text: string): Promise<void> {
    this.print(`${user}: ${text}`);
    const ts = this.nextTime();
    const event = { type: 'app_mention', user, text, channel: CHANNEL, ts, thread_ts: '1.0' };
    await this.send(
      bot,
      'application/json',
      JSON.stringify({ type: 'event_callback', team_id: TEAM, event }),
    );
    await this.nextMessage();
  }

  /** Somebody presses a button of the last card; waits for the next message of the bot. */
  async press(bot: string, user: string, label: string): Promise<void> {
    this.print(`${user} presses ${label}`);
    const button = this.messages.flatMap(buttonsOf).findLast(({ text }) => text.text === label);
    const payload = {
      type: 'block_actions',
      team: { id: TEAM },
      user: { id: user },
      channel: { id: CHANNEL },
      message: { thread_ts: '1.0' },
      actions: [{ action_id: button?.action_id, value: button?.value }],
    };
    const form = new URLSearchParams({ payload: JSON.stringify(payload) });
    await this.send(bot, 'application/x-www-form-urlencoded', form.toString());
    await this.nextMessage();
  }

  /** Waits until the bot has changed its card. */
  async cardIsClosed(): Promise<void> {
    await until(() => this.edits.length > 0);
    this.print(`(The card says: ${this.edits.join(' ')})`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async nextMessage(): Promise<void> {
    await until(() => this.messages.length > this.seen);
    const message = this.messages[this.seen++];
    if (!message) return;
    const whom = message.user === undefined ? '' : ` (only ${message.user} sees it)`;
    const buttons = buttonsOf(message).map(({ text }) => ` [${text.text}]`);
    this.print(`desk${whom}: ${message.text}${buttons.join('')}`);
  }

  private take(method: string, body: BotMessage): void {
    if (method === 'chat.update') this.edits.push(body.text);
    else this.messages.push(body);
  }

  /** Sends a request as Slack signs it. */
  private async send(bot: string, contentType: string, body: string): Promise<void> {
    const time = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', this.signingSecret).update(`v0:${time}:${body}`).digest('hex');
    const headers = {
      'content-type': contentType,
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${signature}`,
    };
    const { status } = await fetch(bot, { method: 'POST', body, headers });
    if (status !== 200) throw new Error(`The bot answered with status ${String(status)}.`);
  }

  private nextTime(): string {
    return `2.${String(++this.count)}`;
  }
}

function buttonsOf({ blocks = [] }: BotMessage): readonly Button[] {
  return blocks.flatMap(({ elements = [] }) => elements);
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries === 3_000) throw new Error('The bot has written nothing for 30 seconds.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
