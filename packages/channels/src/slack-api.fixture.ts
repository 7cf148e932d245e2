import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A call of Slack's Web API. */
export interface SlackCall {
  readonly method: string;
  readonly token: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = { readonly status: number; readonly headers?: Record<string, string>; readonly body: object };

/** As much of Slack's Web API as the channel uses, on a local port. It answers with what is in `script` first, and then that all is well. */
export class SlackServer implements AsyncDisposable {
  readonly calls: SlackCall[] = [];
  readonly script: Answer[] = [];
  private ts = 1_700_000_000;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<SlackServer> {
    const server = createServer();
    const slack = new SlackServer(server);
    server.on('request', (request, response) => {
      void json(request).then((body) => {
        const method = (request.url ?? '').slice('/api/'.length);
        const answer = slack.script.shift() ?? slack.answerTo(method, body as Record<string, unknown>);
        slack.calls.push({
          method,
          token: request.headers.authorization,
          body: body as Record<string, unknown>,
        });
        response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
        response.end(JSON.stringify(answer.body));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return slack;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/api`;
  }

  /** The calls of a method, once there are so many. */
  async callsOf(method: string, count: number): Promise<readonly SlackCall[]> {
    for (let tries = 0; tries < 800; tries++) {
      const found = this.calls.filter((call) => call.method === method);
      if (found.length >= count) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`${method} was not called ${String(count)} times: ${JSON.stringify(this.calls)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private answerTo(method: string, { channel }: Record<string, unknown>): Answer {
    if (method === 'chat.postMessage' || method === 'chat.update')
      return { status: 200, body: { ok: true, channel, ts: `${String(this.ts++)}.000100` } };
    if (method === 'chat.postEphemeral') return { status: 200, body: { ok: true, message_ts: '1.2' } };
    return { status: 200, body: { ok: false, error: 'unknown_method' } };
  }
}

export const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5';

/** A request as Slack signs it. @param at in seconds since 1970 */
export function signedBySlack(
  body: string,
  at: number,
  { isForm = false, secret = SIGNING_SECRET }: { readonly isForm?: boolean; readonly secret?: string } = {},
): Request {
  const signature = createHmac('sha256', secret)
    .update(`v0:${String(at)}:${body}`)
    .digest('hex');
  return new Request('http://localhost/channels/slack', {
    method: 'POST',
    body,
    headers: {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      'x-slack-request-timestamp': String(at),
      'x-slack-signature': `v0=${signature}`,
    },
  });
}

/** The fields of a message that somebody writes. */
export interface Written {
  readonly user?: string;
  readonly text: string;
  readonly ts: string;
  readonly thread_ts?: string;
  readonly type?: 'app_mention' | 'message';
  readonly channel?: string;
  readonly channel_type?: string;
  readonly bot_id?: string;
  readonly subtype?: string;
}

/** The body of an event, in the form of Slack's documentation of the Events API. */
export function eventBody({
  type = 'app_mention',
  user = 'U061F7AUR',
  channel = 'C0LAN2Q65',
  ...rest
}: Written): string {
  return JSON.stringify({
    token: 'ZZZZZZWSxiZZZ2yIvs3peJ',
    team_id: 'T123ABC456',
    api_app_id: 'A123ABC456',
    event: { type, user, channel, event_ts: rest.ts, ...rest },
    type: 'event_callback',
    event_id: 'Ev123ABC456',
    event_time: 1234567890,
    authorizations: [{ enterprise_id: null, team_id: 'T123ABC456', user_id: 'U0LAN0Z89', is_bot: true }],
  });
}

/** The body of a press of a button, in the form of Slack's documentation of `block_actions`. */
export function pressBody({
  user,
  action,
  value,
  thread,
}: {
  readonly user: string;
  readonly action: string;
  readonly value: string;
  readonly thread: string;
}): string {
  const payload = {
    type: 'block_actions',
    team: { id: 'T123ABC456', domain: 'example' },
    user: { id: user, username: 'someone', team_id: 'T123ABC456' },
    api_app_id: 'A123ABC456',
    token: 'ZZZZZZWSxiZZZ2yIvs3peJ',
    container: {
      type: 'message',
      message_ts: '1548261231.000200',
      channel_id: 'C0LAN2Q65',
      is_ephemeral: false,
    },
    trigger_id: '12321423423.333649436676.d8c1bb837935619ccad0f624c448ffb3',
    channel: { id: 'C0LAN2Q65', name: 'review-updates' },
    message: {
      bot_id: 'BAH5CA16Z',
      type: 'message',
      text: 'May it run?',
      ts: '1548261231.000200',
      thread_ts: thread,
    },
    response_url: 'https://hooks.example.com/actions/AABA1ABCD/1232321423432/D09sSasdasdAS9091209',
    actions: [
      {
        action_id: action,
        block_id: '=qXel',
        text: { type: 'plain_text', text: 'Approve', emoji: true },
        value,
        type: 'button',
        action_ts: '1548426417.840180',
      },
    ],
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}
