import { agent, createRunner } from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';

import { changed, LiveAgent, type LiveContext, state } from './index.js';

interface Caller {
  accountId?: string;
  mood?: number;
  isCalm?: boolean;
}

const { phase, watch, computed, sustained, turns } = state<Caller>();

const seen: string[] = [];

@agent({ name: 'desk', instruction: 'Be kind.' })
class Desk extends LiveAgent<Caller> {
  @phase({ first: true, needs: ['accountId'] })
  verifying({ state: caller }: LiveContext<Caller>) {
    caller.mood = 0.9;
    return 'Ask for the account number.';
  }

  @computed('isCalm')
  calm({ mood = 0 }: Caller) {
    return mood < 0.5;
  }

  @watch('isCalm', changed())
  calmed() {
    seen.push('calm');
  }

  @watch(turns(({ mood = 0 }) => mood > 0.8, 1), { cooldown: '1h' })
  heated() {
    seen.push('heated');
  }
}

describe('the decorators of a state', () => {
  it('are those of the package', async () => {
    await using runner = await createRunner(Desk, { model: new ScriptedModel(says('Hello.')) });
    await runner.ask('Hello', { userId: 'ada', sessionId: 's1' });

    expect(seen).toEqual(['calm', 'heated']);
  });

  it('refuse keys that the state does not have', () => {
    // @ts-expect-error the state has no key accountID
    phase({ needs: ['accountID'] });
    // @ts-expect-error the state has no key moods
    phase({ when: ({ moods }) => moods === 1 });
    // @ts-expect-error the state has no key mod
    watch('mod', changed());
    // @ts-expect-error the state has no key calm
    computed('calm');
    // @ts-expect-error the state has no key moods
    sustained(({ moods }) => moods === 1, '1m');
    // @ts-expect-error the state has no key moods
    turns(({ moods }) => moods === 1, 2);

    expect.assertions(0);
  });
});
