import { type LiveInput, tool, type ToolContext } from 'adorn';

import { loudnessOf } from './loudness.js';

/** What the record says of an account. Amounts are cents. */
interface Account {
  readonly bornOn: string;
  readonly balance: number;
  readonly payments: readonly number[];
}

/** The record. An application reads a database here. */
const ACCOUNTS: ReadonlyMap<string, Account> = new Map([
  ['10020030', { bornOn: '1985-12-10', balance: 120_000, payments: [5_000, 5_000] }],
]);

/** The tools of the desk. They write what they find out to the state, where phases and watchers see it. */
export class Accounts {
  /**
   * Compare what the caller says with the record.
   * @param accountId Eight digits. @pattern ^[0-9]{8}$
   * @param bornOn The date of birth, as YYYY-MM-DD. @format date
   */
  @tool({ effect: 'read' })
  verify(accountId: string, bornOn: string, { state }: ToolContext): boolean {
    const account = ACCOUNTS.get(accountId);
    const verified = account?.bornOn === bornOn;
    state.set('verified', verified);
    if (account !== undefined && verified) {
      state.set('accountId', accountId);
      state.set('balance', account.balance);
    }
    return verified;
  }

  /** Look up all payments. It takes a while; the conversation goes on. */
  @tool({ background: { scheduling: 'when_idle' } })
  async paymentHistory({ state }: ToolContext): Promise<readonly number[]> {
    await Promise.resolve();
    return ACCOUNTS.get(String(state.get('accountId')))?.payments ?? [];
  }

  /** Tell how loud the caller speaks, from 0 to 1, while they speak. */
  @tool
  async *listen(input: LiveInput, { state }: ToolContext): AsyncGenerator<{ loud: number }, void, undefined> {
    for await (const chunk of input.audio) {
      const loud = loudnessOf(chunk);
      state.set('mood', loud);
      yield { loud };
    }
  }

  /**
   * Note the monthly amount that the caller has agreed to.
   * @param monthly Cents. @minimum 1
   */
  @tool({ effect: 'write', idempotent: true })
  agree(monthly: number, { state }: ToolContext): string {
    state.set('agreed', monthly);
    return 'noted';
  }

  /**
   * Arrange instalments.
   * @param monthly Cents. @minimum 1
   */
  @tool({
    effect: 'write',
    idempotent: true,
    confirm: (monthly) => monthly > 50_000 && `${String(monthly)} cents a month?`,
  })
  arrange(monthly: number): { readonly monthly: number; readonly plan: string } {
    return { monthly, plan: 'P-1' };
  }
}
