import { hash } from 'node:crypto';

import type { PendingRequest } from '@adorn/core';
import {
  type Awaitable,
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
import { createTransport, type Transporter } from 'nodemailer';

import type {
  Channel,
  ChannelAnswer,
  ChannelMessage,
  ChannelPerson,
  Inbound,
  MessageReference,
  OutgoingMessage,
  Thread,
} from '../channel.js';
import { ChannelDoor, type ChannelOptions } from '../channel-door.js';
import type { RawRequest } from '../endpoint.js';
import { ChannelFailedError } from '../errors.js';
import { SIGNING_SECRET } from '../signatures.js';
import type { SenderCheck } from './authentication-results.js';
import type { MailDelivery } from './mail-delivery.js';
import { isAutomatic, normalAddress, readMail, type ReceivedMail, replyIn } from './received-mail.js';
import { type SentMail, SignedMessageIds } from './signed-message-ids.js';

/** The options of `email`. */
export interface EmailOptions extends Omit<ChannelOptions, 'path'> {
  /** The address that people write to, and that mails come from, such as `desk@shop.example`. */
  readonly address: string;
  /** How mails are delivered to the endpoint: `rawMail(hmac({ secret, header }))`, `mailgunMail(key)`, or a function of your own. */
  readonly delivery: MailDelivery;
  /** Who has sent a mail: `authenticationResults('mx.shop.example')`, or a function of your own. A mail of nobody is not read. */
  readonly sender: SenderCheck;
  /** Where mails are sent: an address such as `smtps://user:password@smtp.shop.example`, or a transport of nodemailer. */
  readonly smtp: string | Transporter;
  /** Signs the `Message-ID`s of mails, by which answers find their thread: the same in every process. */
  readonly secret: string;
  /** The addresses that are asked whether a call may run. Default: who wrote the message. */
  readonly questionsTo?: (request: PendingRequest) => Awaitable<readonly string[]>;
  /** Where the server answers deliveries. Default: `/channels/email`. */
  readonly path?: string;
}

const OPTIONS: OptionRules<EmailOptions> = {
  address: required(
    rule(
      (value) => typeof value === 'string' && /^[^\s@<>]+@[^\s@<>]+$/.test(value),
      "Pass an address: 'desk@shop.example'.",
    ),
  ),
  delivery: required(FUNCTION),
  sender: required(FUNCTION),
  smtp: required(
    secret(
      rule(
        (value) => typeof value === 'string' || (isObject(value) && typeof value['sendMail'] === 'function'),
        'Pass an address of a mail server, or a transport of nodemailer.',
      ),
    ),
  ),
  secret: required(SIGNING_SECRET),
  questionsTo: FUNCTION,
  principal: required(FUNCTION),
  path: TEXT,
  app: TEXT,
  fleet: OBJECT,
};

/**
 * E-mail as a channel: a mail is a message in the name of its verified sender, and a thread is a session. Answers are mails in the thread. A
 * question of a tool is a mail, too, which is answered by a mail that begins with APPROVE or REJECT, and only by those whom `approvers` of
 * the tool let answer.
 *
 * ```ts
 * const desk = email({
 *   address: 'desk@shop.example',
 *   delivery: rawMail(hmac({ secret, header: 'x-signature' })),
 *   sender: authenticationResults('mx.shop.example'),
 *   smtp: 'smtps://desk:password@smtp.shop.example',
 *   secret: idSecret,
 *   principal: ({ id }) => customers.find(id),
 * });
 * const runner = await createRunner(Support, { plugins: [desk], modules: [sqlStorage(url)] });
 * const handler = await adornHandler(runner, { authenticate, endpoints: [desk] });
 * ```
 *
 * @throws {AdornError} `OPTION_INVALID`
 */
export function email(options: EmailOptions): ChannelDoor {
  checkOptions('email', options, OPTIONS);
  const {
    address,
    delivery,
    sender,
    smtp,
    secret: key,
    questionsTo,
    path = '/channels/email',
    ...others
  } = options;
  const transport =
    typeof smtp === 'string'
      ? createTransport({
          url: smtp,
          connectionTimeout: ANSWER_MS,
          greetingTimeout: ANSWER_MS,
          socketTimeout: ANSWER_MS,
        })
      : smtp;
  const channel = new EmailChannel({
    address: normalAddress(address),
    delivery,
    sender,
    transport,
    questionsTo,
    ids: new SignedMessageIds(key, address.slice(address.lastIndexOf('@') + 1).toLowerCase()),
  });
  return new ChannelDoor(channel, { ...others, path });
}

/** How long a mail server may take to answer, in milliseconds. */
const ANSWER_MS = 30_000;

interface EmailSetting extends Pick<EmailOptions, 'address' | 'delivery' | 'sender' | 'questionsTo'> {
  readonly transport: Transporter;
  readonly ids: SignedMessageIds;
}

class EmailChannel implements Channel {
  readonly name = 'email';
  readonly howToAnswer = 'Answer the mail, and write APPROVE or REJECT in the first line.';

  constructor(private readonly setting: EmailSetting) {}

  async read(request: RawRequest, now: number): Promise<Inbound> {
    const { delivery, sender, address, ids } = this.setting;
    const mail = await readMail(await delivery(request, now));
    if (isAutomatic(mail)) return { kind: 'ignored', why: 'it was not written by a person' };
    const verified = await sender(mail);
    if (verified === undefined) return { kind: 'ignored', why: 'its sender is not verified' };
    if (verified.toLowerCase() === address.toLowerCase())
      return { kind: 'ignored', why: 'it was written by the channel' };
    const answered = ids.findLast(mail.references);
    return answered?.kind === 'question'
      ? answerIn(mail, verified, answered)
      : messageIn(mail, { sender: verified, answered, address });
  }

  async post(thread: Thread, { id, text, answers }: OutgoingMessage): Promise<void> {
    const messageId = this.setting.ids.write({ kind: 'answer', thread, id });
    await this.send({ to: [recipientOf(thread, answers)], text, messageId, answers });
  }

  async ask(
    thread: Thread,
    request: PendingRequest,
    answers: MessageReference | undefined,
  ): Promise<MessageReference> {
    const { questionsTo, ids } = this.setting;
    const to = (await questionsTo?.(request)) ?? [recipientOf(thread, answers)];
    const messageId = ids.write({ kind: 'question', thread, id: request.id });
    await this.send({ to, text: questionIn(request, this.howToAnswer), messageId, answers });
    return { messageId };
  }

  async tell(
    _thread: Thread,
    { id }: ChannelPerson,
    text: string,
    answers: MessageReference | undefined,
  ): Promise<void> {
    await this.send({ to: [id], text, messageId: undefined, answers });
  }

  /** @throws {ChannelFailedError} */
  private async send({ to, text, messageId, answers }: OutgoingMail): Promise<void> {
    const { transport, address } = this.setting;
    const references = [...(answers?.['references']?.split(' ') ?? []), ...present(answers?.['messageId'])];
    try {
      await transport.sendMail({
        from: address,
        to: [...to],
        subject: subjectOf(answers?.['subject']),
        text,
        messageId,
        inReplyTo: answers?.['messageId'],
        // Some mail services replace the id of a mail: it is found among the references then.
        references: [...references, ...present(messageId)],
        // No program answers this.
        headers: { 'auto-submitted': 'auto-replied', 'x-auto-response-suppress': 'All' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (error) {
      throw failureOf(error);
    }
  }
}

interface OutgoingMail {
  readonly to: readonly string[];
  readonly text: string;
  readonly messageId: string | undefined;
  readonly answers: MessageReference | undefined;
}

/** A mail to the channel: in the thread of the mail that it answers, or in one of its own sender. */
function messageIn(
  mail: ReceivedMail,
  {
    sender,
    answered,
    address,
  }: { readonly sender: string; readonly answered: SentMail | undefined; readonly address: string },
): ChannelMessage {
  const [root = mail.id] = mail.references;
  // A new mail is read whole: what it quotes may be all that it says.
  const text = answered ? replyIn(mail.text) : `Subject: ${mail.subject}\n\n${mail.text}`;
  return {
    kind: 'message',
    id: digestOf([sender, mail.id]),
    thread: answered?.thread ?? { place: sender, id: digestOf([sender, root]) },
    person: personOf(sender),
    text: [text, ...attachmentsIn(mail)].join('\n\n'),
    isAddressed: !mail.copiedTo.includes(address.toLowerCase()),
    reference: referenceOf(mail, sender),
  };
}

function answerIn(mail: ReceivedMail, sender: string, { thread, id }: SentMail): ChannelAnswer {
  const [line = ''] = replyIn(mail.text).split('\n');
  const word = /^\W*(approve|reject)\W*$/i.exec(line)?.[1]?.toLowerCase();
  return {
    kind: 'answer',
    thread,
    person: personOf(sender),
    requestId: id,
    isApproved: word === undefined ? undefined : word === 'approve',
    reference: referenceOf(mail, sender),
  };
}

function attachmentsIn({ attachments }: ReceivedMail): string[] {
  return attachments.length === 0 ? [] : [`(Attached, and not read: ${attachments.join(', ')})`];
}

function personOf(address: string): ChannelPerson {
  return { id: address, organization: address.slice(address.lastIndexOf('@') + 1) };
}

/** A header of references may have 998 characters a line, and threads are long: the first, and the last ones. */
const MOST_REFERENCES = 10;

function referenceOf({ id, subject, references }: ReceivedMail, to: string): MessageReference {
  const [first, ...others] = references;
  return {
    to,
    subject,
    messageId: id,
    references: [...present(first), ...others.slice(1 - MOST_REFERENCES)].join(' '),
  };
}

/** A session that did not begin by a mail has nothing to answer: its user is the address. */
function recipientOf({ place }: Thread, answers: MessageReference | undefined): string {
  return answers?.['to'] ?? place;
}

function subjectOf(subject = ''): string {
  const bare = subject.replace(/^(?:re:\s*)+/i, '');
  return bare === '' ? 'Your message' : `Re: ${bare}`;
}

function questionIn({ hint, tool, args }: PendingRequest, howToAnswer: string): string {
  return [hint ?? `May ${tool} run?`, `${tool} ${JSON.stringify(args, undefined, 1)}`, howToAnswer].join(
    '\n\n',
  );
}

const RETRY_MS = 5_000;

/** A reply of 500 and more is final, and so are addresses that are none; other failures may pass. */
function failureOf(error: unknown): ChannelFailedError {
  const { message, code, responseCode } = error as {
    readonly message?: string;
    readonly code?: string;
    readonly responseCode?: number;
  };
  const isFinal = responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500;
  return new ChannelFailedError(
    'The mail server',
    message ?? 'it did not answer',
    isFinal ? undefined : RETRY_MS,
  );
}

function digestOf(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}

function present(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : [text];
}
