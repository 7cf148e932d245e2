import { hash } from 'node:crypto';

import EmailReplyParser from 'email-reply-parser';
import { convert } from 'html-to-text';
import PostalMime, { type Address, type Email } from 'postal-mime';

import { DeliveryRefusedError } from '../errors.js';

/** A header of a mail. */
export interface MailHeader {
  /** In lower case, such as `authentication-results`. */
  readonly name: string;
  /** Unfolded, and not decoded. */
  readonly value: string;
}

/** A mail as it came. Everything in it is what its sender claims. */
export interface ReceivedMail {
  /** All headers, the last that was added first: a server writes its own above those that it was given. */
  readonly headers: readonly MailHeader[];
  /** The address in `From`, its domain in lower case. Undefined unless there is exactly one. */
  readonly from: string | undefined;
  /** The `Message-ID`, or a digest of the mail that has none. */
  readonly id: string;
  /** What it answers: `References` and then `In-Reply-To`, the first of the thread first. */
  readonly references: readonly string[];
  readonly subject: string;
  /** The text with what it quotes. */
  readonly text: string;
  /** The addresses in `Cc`, in lower case. */
  readonly copiedTo: readonly string[];
  /** The names of attached files. */
  readonly attachments: readonly string[];
}

/** A longer text is cut, in characters. */
const LONGEST_TEXT = 20_000;
const LONGEST_HTML = 200_000;

/** Reads the bytes of a mail. @throws {DeliveryRefusedError} */
export async function readMail(bytes: Uint8Array): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(bytes, { rfc822Attachments: true }).catch(() => {
    throw new DeliveryRefusedError('its body is no mail', 400);
  });
  const headers = mail.headers.map(({ key, value }) => ({ name: key, value }));
  if (headers.length === 0) throw new DeliveryRefusedError('its body is no mail', 400);
  return {
    headers,
    from: addressIn(headers),
    id: mail.messageId ?? hash('sha256', bytes, 'base64url'),
    references: [...new Set([...idsIn(mail.references), ...idsIn(mail.inReplyTo)])],
    subject: (mail.subject ?? '').replaceAll(/\s+/g, ' ').trim(),
    text: textOf(mail),
    copiedTo: addressesIn(mail.cc),
    attachments: mail.attachments.map(({ filename }) => filename ?? 'a file without a name'),
  };
}

/** The text without what it quotes and without its signature; all of it if nothing else is there. */
export function replyIn(text: string): string {
  const reply = new EmailReplyParser().parseReply(text).trim();
  return reply === '' ? text : reply;
}

/** True for mails that no person has written, which must not be answered: two programs would answer each other for ever. */
export function isAutomatic({ headers }: ReceivedMail): boolean {
  return headers.some(({ name, value }) => {
    const text = value.trim().toLowerCase();
    if (name === 'auto-submitted') return text !== 'no';
    if (name === 'precedence') return ['bulk', 'list', 'junk', 'auto_reply'].includes(text);
    if (name === 'return-path') return text === '<>';
    // A bounce, or another report of a mail server.
    if (name === 'content-type') return text.startsWith('multipart/report');
    return name === 'list-id';
  });
}

/** Characters with a meaning in a list of addresses. */
const SPECIAL = /[<>,;:()"\\]/;
const ADDRESS = /^[^@\s]+@[^@\s]+$/;

/**
 * The address in `From`. Programs differ in how they read strange headers, and whoever verified the sender may have read another
 * address, so that only `Name <address>` and a bare address are read.
 */
function addressIn(headers: readonly MailHeader[]): string | undefined {
  const found = headers.filter(({ name }) => name === 'from');
  const [from] = found;
  if (!from || found.length > 1) return undefined;
  const withoutTexts = from.value.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').replaceAll(/\([^()]*\)/g, '');
  const [, name = '', address = ''] = /^([^<>]*)<([^<>]*)>$/.exec(withoutTexts.trim()) ?? [
    withoutTexts,
    '',
    withoutTexts.trim(),
  ];
  return SPECIAL.test(name + address) || !ADDRESS.test(address) || name.includes('@')
    ? undefined
    : normalAddress(address);
}

/** An address with its domain in lower case. */
export function normalAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

function addressesIn(addresses: readonly Address[] = []): string[] {
  return addresses.flatMap((one) => one.group ?? [one]).map(({ address }) => address.toLowerCase());
}

function idsIn(text = ''): string[] {
  return text.match(/<[^<>\s]+>/g) ?? [];
}

function textOf({ text, html = '' }: Email): string {
  const options = {
    wordwrap: false as const,
    limits: { maxDepth: 100 },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
      { selector: 'img', format: 'skip' },
    ],
  };
  const all = text ?? convert(html.slice(0, LONGEST_HTML), options);
  return all.slice(0, LONGEST_TEXT).trim();
}
