import { computed, crossedAbove, LiveAgent, type LiveContext, phase, sustained, watch } from '@adorn/live';
import { agent } from 'adorn';

import { Accounts } from './accounts.js';

/** What is known of the caller: the state of the conversation. Amounts are cents. */
export interface Caller {
  accountId?: string;
  verified?: boolean;
  balance?: number;
  agreed?: number;
  share?: number;
  mood?: number;
}

/** Talks with people who owe money, politely and within the law. */
@agent({
  model: 'gemini-live-2.5-flash-preview',
  instruction: 'You work for a bank. Be brief and polite.',
  tools: [Accounts],
})
export class Collections extends LiveAgent<Caller> {
  override greeting = 'Say who is calling, and that the call is recorded.';

  /** Make sure who is speaking. */
  @phase<Caller>({ first: true, tools: ['verify'], needs: ['accountId', 'verified'] })
  verifying() {
    return 'Ask for the account number and the date of birth. Do not mention the debt.';
  }

  /** Tell what is owed and why. */
  @phase<Caller>({
    from: 'verifying',
    when: ({ verified }) => verified === true,
    tools: ['payment_history', 'agree'],
  })
  informing({ state }: LiveContext<Caller>) {
    return `State the balance of ${money(state.balance)}, and listen.`;
  }

  /** Find an amount that both can live with. */
  @phase<Caller>({
    from: 'informing',
    when: ({ mood = 0, agreed }) => mood < 0.8 && agreed === undefined,
    tools: ['payment_history', 'listen', 'agree'],
    needs: ['agreed'],
  })
  negotiating() {
    return 'Offer instalments. Never threaten.';
  }

  /** Write down what was agreed. */
  @phase<Caller>({
    from: ['informing', 'negotiating'],
    when: ({ agreed }) => agreed !== undefined,
    tools: ['arrange'],
    last: true,
  })
  arranging({ state }: LiveContext<Caller>) {
    return `Repeat ${money(state.agreed)} a month, arrange it, and thank the caller.`;
  }

  /** The part of the debt that is paid each month. */
  @computed('share')
  share({ agreed = 0, balance = 1 }: Caller) {
    return agreed / balance;
  }

  @watch('mood', crossedAbove(0.8))
  tooHeated(live: LiveContext<Caller>) {
    live.steer('Slow down. Offer to call back tomorrow.');
  }

  @watch(sustained<Caller>(({ mood = 0 }) => mood > 0.6, '20s'), { cooldown: '1m' })
  offerBreak(live: LiveContext<Caller>) {
    live.prompt('Ask whether now is a good time.');
  }
}

function money(cents = 0): string {
  return `${(cents / 100).toFixed(2)} dollars`;
}
