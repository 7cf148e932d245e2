import { hash, randomUUID } from 'node:crypto';

import type { EffectAddress, EffectClaim, EffectLedger, InboxRequest } from '@adorn/core/backend';

import type { MessageReference } from './channel.js';

/** How long a question is known to be on its way to the platform, in seconds. */
const ASKING_S = 120;

/** A question of a channel: `claim` is the id of whoever asks it, or has asked it. */
export type QuestionState =
  | { readonly kind: 'to-ask'; readonly claim: string }
  | { readonly kind: 'asked'; readonly claim: string; readonly question: MessageReference }
  /** Another process is about to ask it. */
  | { readonly kind: 'elsewhere' };

/**
 * What the processes of a channel agree on, in the effect ledger of their store: which of them asks a question, where the question is
 * at the platform, and how each message is answered there.
 */
export class ChannelRecords {
  constructor(
    private readonly ledger: EffectLedger,
    private readonly appName: string,
    private readonly channel: string,
  ) {}

  /** Stores how a message is answered, before its run begins. The same message again changes nothing. @param now in seconds since 1970 */
  async keepReference(
    runId: string,
    { userId, reference }: { readonly userId: string; readonly reference: MessageReference },
    now: number,
  ): Promise<void> {
    const address = this.addressOf(['message', runId]);
    // Its id is that of the run: a process that dies before it completes the claim is followed by another one.
    await this.ledger.claim(address, { id: runId, by: userId, at: now, until: now });
    await this.ledger.complete(address, runId, { result: reference, at: now });
  }

  /** Undefined if none was kept. @param now in seconds since 1970 */
  async referenceOf(runId: string, now: number): Promise<MessageReference | undefined> {
    const address = this.addressOf(['message', runId]);
    const { done, isNew } = await this.ledger.claim(address, { id: runId, by: runId, at: now, until: now });
    if (isNew) await this.ledger.release(address, runId);
    return done?.result as MessageReference | undefined;
  }

  /** Takes a question, to ask or to close it. @param now in seconds since 1970 */
  async takeQuestion(request: InboxRequest, now: number): Promise<QuestionState> {
    const address = this.addressOfQuestion(request);
    const claim: EffectClaim = {
      id: `${request.id}#${randomUUID()}`,
      by: request.userId,
      at: now,
      until: now + ASKING_S,
    };
    let entry = await this.ledger.claim(address, claim);
    // A process that took it died before it had asked.
    if (!entry.isNew && !entry.done && entry.claim.until <= now)
      entry = await this.ledger.claim(address, claim, entry.claim.id);
    if (entry.isNew) return { kind: 'to-ask', claim: claim.id };
    if (!entry.done) return { kind: 'elsewhere' };
    return { kind: 'asked', claim: entry.claim.id, question: entry.done.result as MessageReference };
  }

  /** Stores where a question is at the platform. @param now in seconds since 1970 */
  async keepQuestion(
    request: InboxRequest,
    { claim, question }: { readonly claim: string; readonly question: MessageReference },
    now: number,
  ): Promise<void> {
    await this.ledger.complete(this.addressOfQuestion(request), claim, { result: question, at: now });
  }

  /** Forgets a question that was not asked, or is closed. */
  async forgetQuestion(request: InboxRequest, claim: string): Promise<void> {
    const address = this.addressOfQuestion(request);
    await this.ledger.release(address, claim);
    await this.ledger.revoke(address, claim);
  }

  private addressOfQuestion({ sessionId, id }: InboxRequest): EffectAddress {
    return this.addressOf([sessionId, id]);
  }

  private addressOf(key: readonly [string, string]): EffectAddress {
    const { appName, channel } = this;
    return {
      appName,
      scope: 'adorn:channels',
      tool: channel,
      key: hash('sha256', JSON.stringify(key), 'base64url'),
    };
  }
}
