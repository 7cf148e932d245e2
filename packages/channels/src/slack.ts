import type { PendingRequest } from '@adorn/core';
import {
  checkOptions,
  FUNCTION,
  isObject,
  OBJECT,
  type OptionRules,
  required,
  rule,
  secret,
  TEXT,
} from '@adorn/core/backend';

import type {
  Channel,
  ChannelPerson,
  Inbound,
  MessageReference,
  OutgoingMessage,
  Thread,
} from './channel.js';
import { ChannelDoor, type ChannelOptions } from './channel-door.js';
import type { RawRequest } from './endpoint.js';
import { ChannelFailedError, DeliveryRefusedError } from './errors.js';
import { checkSlackSignature } from './signatures.js';

/** The options of `slack`. */
export interface SlackOptions extends Omit<ChannelOptions, 'path'> {
  /** The signing secret of the Slack app. */
  readonly signingSecret: string;
  /** The token of its bot, which begins with `xoxb-`; its scopes are `chat:write` and `app_mentions:read`, and `im:history` for direct messages. */
  readonly botToken: string;
  /** Where the server answers Slack's events and interactions. Default: `/channels/slack`. */
  readonly path?: string;
  /** The address of Slack's Web API. Default: `https://slack.com/api`. */
  readonly apiUrl?: string;
}

const SECRET = secret(
  rule((value) => typeof value === 'string' && value.length >= 8, 'Pass the text that Slack shows.'),
);

const OPTIONS: OptionRules<SlackOptions> = {
  signingSecret: required(SECRET),
  botToken: required(SECRET),
  principal: required(FUNCTION),
  path: TEXT,
  apiUrl: TEXT,
  app: TEXT,
  fleet: OBJECT,
};

/**
 * Slack as a channel: a thread is a session, a message is in the name of who wrote it, and a question of a tool is a card whose buttons
 * only those may press whom `approvers` of the tool let answer. An agent reads what mentions it, what is written to it directly, and
 * what is written in a thread that it was called into.
 *
 * ```ts
 * const desk = slack({ signingSecret, botToken, principal: ({ id }) => people.find(id) });
 * const runner = await createRunner(Support, { plugins: [desk], modules: [sqlStorage(url)] });
 * const handler = await adornHandler(runner, { authenticate, endpoints: [desk] });
 * ```
 *
 * @throws {AdornError} `OPTION_INVALID`
 */
export function slack(options: SlackOptions): ChannelDoor {
  checkOptions('slack', options, OPTIONS);
  const {
    signingSecret,
    botToken,
    path = '/channels/slack',
    apiUrl = 'https://slack.com/api',
    ...others
  } = options;
  return new ChannelDoor(new SlackChannel(signingSecret, new SlackApi(apiUrl, botToken)), {
    ...others,
    path,
  });
}

/** The address of a button, as Slack sends it back. */
const APPROVE = 'adorn_approve';
const REJECT = 'adorn_reject';

class SlackChannel implements Channel {
  readonly name = 'slack';
  readonly howToAnswer = 'Press a button of the card.';

  constructor(
    private readonly signingSecret: string,
    private readonly api: SlackApi,
  ) {}

  read(request: RawRequest, now: number): Inbound {
    checkSlackSignature(request, this.signingSecret, now);
    const text = new TextDecoder().decode(request.body);
    const isForm =
      request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') === true;
    const body = jsonOf(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text);
    return (
      (isForm ? pressIn(body) : eventIn(body)) ?? {
        kind: 'ignored',
        why: 'it is no message of a person, and no button of a card',
      }
    );
  }

  async post(thread: Thread, { text }: OutgoingMessage): Promise<void> {
    await this.api.call('chat.postMessage', { ...targetOf(thread), text: asText(text) });
  }

  async ask(thread: Thread, request: PendingRequest): Promise<MessageReference> {
    const body = { ...targetOf(thread), text: asText(questionOf(request)), blocks: cardOf(request) };
    return postedIn(await this.api.call('chat.postMessage', body));
  }

  async closeQuestion({ channel, ts }: MessageReference, text: string): Promise<void> {
    const section = { type: 'section', text: { type: 'mrkdwn', text: asText(text) } };
    await this.api.call('chat.update', { channel, ts, text: asText(text), blocks: [section] });
  }

  async tell(thread: Thread, { id: user }: ChannelPerson, text: string): Promise<void> {
    await this.api.call('chat.postEphemeral', { ...targetOf(thread), user, text: asText(text) });
  }
}

/** Calls methods of Slack's Web API. */
class SlackApi {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** @throws {ChannelFailedError} */
  async call(method: string, body: object): Promise<Fields> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      'content-type': 'application/json; charset=utf-8',
    };
    const answered = await fetch(`${this.url}/${method}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'it did not answer';
      throw new ChannelFailedError('Slack', `${method}: ${why}`, RETRY_MS);
    });
    const { status, headers: answer } = answered;
    if (status === 429) {
      await answered.body?.cancel();
      throw new ChannelFailedError(
        'Slack',
        `${method}: it asks to wait`,
        Number(answer.get('retry-after') ?? 1) * 1_000,
      );
    }
    const json: unknown = await answered.json().catch(() => undefined);
    const fields = fieldsOf(json);
    if (status === 200 && fields['ok'] === true) return fields;
    const why = textIn(fields, 'error') ?? `it answered with status ${String(status)}`;
    throw new ChannelFailedError('Slack', `${method}: ${why}`, status >= 500 ? RETRY_MS : undefined);
  }
}

const ANSWER_MS = 15_000;
const RETRY_MS = 1_000;

type Fields = Readonly<Record<string, unknown>>;

/** An event of the Events API. Undefined for one that nobody reads. */
function eventIn(body: Fields): Inbound | undefined {
  if (body['type'] === 'url_verification')
    return { kind: 'response', response: Response.json({ challenge: textIn(body, 'challenge') ?? '' }) };
  const event = fieldsOf(body['event']);
  const [team, type] = [textIn(body, 'team_id'), textIn(event, 'type')];
  const [user, channel, ts, text] = ['user', 'channel', 'ts', 'text'].map((name) => textIn(event, name));
  const isOfBot = event['bot_id'] !== undefined || event['subtype'] !== undefined;
  if (type !== 'app_mention' && type !== 'message') return undefined;
  if (isOfBot || team === undefined || user === undefined || channel === undefined || ts === undefined)
    return undefined;
  const words = withoutMention(text ?? '', body);
  if (words === '') return undefined;
  return {
    kind: 'message',
    // A mention in a channel comes as two events, and each of them again if it was not answered in time.
    id: `${team}:${channel}:${ts}`,
    thread: { place: `${team}:${channel}`, id: textIn(event, 'thread_ts') ?? ts },
    person: { id: user, organization: team },
    text: words,
    isAddressed: type === 'app_mention' || event['channel_type'] === 'im',
  };
}

/** A press of a button of a card. Undefined for another interaction. */
function pressIn(body: Fields): Inbound | undefined {
  const [action] = Array.isArray(body['actions']) ? (body['actions'] as unknown[]).map(fieldsOf) : [];
  const pressed = action && textIn(action, 'action_id');
  const requestId = action && textIn(action, 'value');
  const container = fieldsOf(body['container']);
  const message = fieldsOf(body['message']);
  const user = fieldsOf(body['user']);
  const [id, team] = [textIn(user, 'id'), textIn(user, 'team_id') ?? textIn(fieldsOf(body['team']), 'id')];
  const channel = textIn(fieldsOf(body['channel']), 'id') ?? textIn(container, 'channel_id');
  const thread = textIn(message, 'thread_ts') ?? textIn(container, 'thread_ts');
  if (body['type'] !== 'block_actions' || (pressed !== APPROVE && pressed !== REJECT)) return undefined;
  if (requestId === undefined || id === undefined || team === undefined) return undefined;
  if (channel === undefined || thread === undefined) return undefined;
  const place = `${textIn(fieldsOf(body['team']), 'id') ?? team}:${channel}`;
  return {
    kind: 'answer',
    thread: { place, id: thread },
    person: { id, organization: team },
    requestId,
    isApproved: pressed === APPROVE,
  };
}

/** The text without the mention of the bot itself, as `authorizations` name it. */
function withoutMention(text: string, body: Fields): string {
  const [authorization] = Array.isArray(body['authorizations']) ? (body['authorizations'] as unknown[]) : [];
  const bot = textIn(fieldsOf(authorization), 'user_id');
  const words = bot === undefined ? text : text.replaceAll(`<@${bot}>`, '');
  // Slack escapes these three.
  return words.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim();
}

function targetOf({ place, id }: Thread): { readonly channel: string; readonly thread_ts: string } {
  return { channel: place.slice(place.indexOf(':') + 1), thread_ts: id };
}

function postedIn(answer: Fields): MessageReference {
  const [channel, ts] = [textIn(answer, 'channel'), textIn(answer, 'ts')];
  if (channel === undefined || ts === undefined)
    throw new ChannelFailedError('Slack', 'it did not say where the message is', undefined);
  return { channel, ts };
}

/** A section may have 3,000 characters. */
const LONGEST_SECTION = 2_900;

function questionOf({ hint, tool }: PendingRequest): string {
  return hint ?? `May ${tool} run?`;
}

function cardOf(request: PendingRequest): object[] {
  const { id, tool, args } = request;
  const shown = cut(
    `*${asText(questionOf(request))}*\n\`\`\`${asText(`${tool} ${JSON.stringify(args, undefined, 1)}`).replaceAll('`', "'")}`,
    LONGEST_SECTION,
  );
  const button = (text: string, action_id: string, style: string): object => ({
    type: 'button',
    text: { type: 'plain_text', text },
    ...{ action_id, style, value: id },
  });
  return [
    { type: 'section', text: { type: 'mrkdwn', text: `${shown}\`\`\`` } },
    {
      type: 'actions',
      elements: [button('Approve', APPROVE, 'primary'), button('Reject', REJECT, 'danger')],
    },
  ];
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Slack reads `<!channel>`, `<@U…>` and links in texts: what a model writes is only text. */
function asText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function jsonOf(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    throw new DeliveryRefusedError('its body is not JSON', 400);
  }
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) && !Array.isArray(value) ? value : {};
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
