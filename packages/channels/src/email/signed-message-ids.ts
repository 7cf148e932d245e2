import { createHmac } from 'node:crypto';

import type { Thread } from '../channel.js';
import { isSame } from '../signatures.js';

/** What a mail of the channel is: an answer in a thread, or a question about a request. */
export interface SentMail {
  readonly kind: 'answer' | 'question';
  readonly thread: Thread;
  /** Of the event that the answer says, or of the request. */
  readonly id: string;
}

/**
 * The `Message-ID`s of the channel's own mails. They say which thread a mail is of and what it asks, and are signed: whoever answers
 * one has got the mail.
 */
export class SignedMessageIds {
  /** @param domain what stands behind the `@` */
  constructor(
    private readonly secret: string,
    private readonly domain: string,
  ) {}

  /** The same for the same mail. */
  write({ kind, thread, id }: SentMail): string {
    const content = Buffer.from(JSON.stringify([kind, thread.place, thread.id, id])).toString('base64url');
    return `<adorn.${content}.${this.sign(content)}@${this.domain}>`;
  }

  /** What a mail answers: the last of its references that is an id of this class. Undefined if none is. */
  findLast(references: readonly string[]): SentMail | undefined {
    for (const reference of references.toReversed()) {
      const [, content, signature] = /^<adorn\.([\w-]+)\.([\w-]+)@/.exec(reference) ?? [];
      if (content === undefined || signature === undefined || !isSame(signature, this.sign(content)))
        continue;
      const [kind, place, threadId, id] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [
        SentMail['kind'],
        string,
        string,
        string,
      ];
      return { kind, thread: { place, id: threadId }, id };
    }
    return undefined;
  }

  private sign(content: string): string {
    return createHmac('sha256', this.secret).update(`adorn:message-id:${content}`).digest('base64url');
  }
}
