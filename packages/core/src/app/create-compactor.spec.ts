import { LlmEventSummarizer, sessionCompaction } from '@adorn/compaction';
import { eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { EventsCompactionConfig } from '../backend.js';
import {
  agent,
  BaseAgent,
  type Content,
  ContainerModule,
  createRunner,
  type Event,
  EventSummarizer,
  inject,
  InMemorySessionService,
  LlmAgent,
  Model,
  SessionService,
} from '../index.js';

const address = { userId: 'ada', sessionId: 's1' };
const WIRING = { model: new ScriptedModel(), modules: [sessionCompaction] };

describe('who summarises', () => {
  it("is the root agent's model, where nobody else is named", async () => {
    expect(await summaryBy({}, [says('a'), says('by the root')])).toBe(
      '[Summary of earlier conversation]\nby the root',
    );
  });

  it('is what is bound', async () => {
    expect(await summaryBy({}, [says('a')], new Fixed('bound'))).toBe('bound');
  });

  it('is what is passed, before what is bound', async () => {
    expect(await summaryBy({ summarizer: new Fixed('passed') }, [says('a')], new Fixed('bound'))).toBe(
      'passed',
    );
  });

  it('is made of a class, with what that asks for', async () => {
    class Own extends LlmEventSummarizer {
      constructor(@inject(Model) model: Model) {
        super({ model, promptTemplate: 'Own words for: {conversation_history}' });
      }
    }

    expect(await summaryBy({ summarizer: Own }, [says('a')], undefined, [says('by a class')])).toBe(
      '[Summary of earlier conversation]\nby a class',
    );
  });

  it.each<[string, unknown, string]>([
    ['an object that cannot', {}, 'COMPACTION_CONFIG_INVALID'],
    ['an object that can, and extends nothing', { summarize: () => undefined }, 'COMPACTION_CONFIG_INVALID'],
    ['a number', 7, 'COMPACTION_CONFIG_INVALID'],
    ['null', null, 'COMPACTION_CONFIG_INVALID'],
    [
      'a class that cannot',
      class Plain {
        readonly open = true;
      },
      'COMPACTION_CONFIG_INVALID',
    ],
    ['a name that nobody bound', 'summarizer', 'SERVICE_NOT_BOUND'],
    ['the contract, which nobody bound', EventSummarizer, 'SERVICE_NOT_BOUND'],
  ])('is not %s', async (_what, summarizer, code) => {
    const compaction = { summarizer } as EventsCompactionConfig;

    await expect(createRunner(Clerk, { ...WIRING, compaction })).rejects.toMatchObject({
      code,
    });
  });

  it('has to be named where the root has no model', async () => {
    await expect(createRunner(Silent, { modules: WIRING.modules, compaction: {} })).rejects.toMatchObject({
      code: 'COMPACTION_CONFIG_INVALID',
      message:
        'Invalid compaction config: the root agent has no model to summarise with, and ' +
        'there is no summarizer. Set compaction.summarizer, or bind EventSummarizer.',
    });
  });

  it('says at the start what it lacks', async () => {
    class Keyless extends Fixed {
      override ready(): void {
        throw new Error('no key');
      }
    }

    await expect(
      createRunner(Clerk, { ...WIRING, compaction: { summarizer: new Keyless('') } }),
    ).rejects.toThrow('no key');
  });

  it('is nobody for a runner of core alone', async () => {
    await expect(createRunner(Clerk, { model: new ScriptedModel(), compaction: {} })).rejects.toMatchObject({
      code: 'COMPACTION_CONFIG_INVALID',
      message:
        'Invalid compaction config: the runner has nothing that summarises. Create the runner with createRunner of adorn, ' +
        'or pass the module sessionCompaction of @adorn/compaction.',
    });
  });

  it('is refused with numbers that cannot be', async () => {
    const compaction = { compactionInterval: 0 };

    await expect(createRunner(Clerk, { ...WIRING, compaction })).rejects.toMatchObject({
      code: 'COMPACTION_CONFIG_INVALID',
    });
  });
});

/** The summary of a conversation of one run. */
async function summaryBy(
  config: Pick<EventsCompactionConfig, 'summarizer'>,
  script: readonly ScriptedStep[],
  bound?: EventSummarizer,
  ofModel?: readonly ScriptedStep[],
): Promise<string | undefined> {
  const sessions = new InMemorySessionService();
  const modules = [
    sessionCompaction,
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
      if (bound !== undefined) bind(EventSummarizer).toConstantValue(bound);
      if (ofModel !== undefined) bind(Model).toConstantValue(new ScriptedModel(...ofModel));
    }),
  ];
  const compaction = { ...config, compactionInterval: 1 };
  const runner = await createRunner(Clerk, { model: new ScriptedModel(...script), modules, compaction });
  await eventsOf(runner.run({ ...address, message: 'Hello.' }));
  await runner.close();
  const session = await sessions.getSession({ appName: 'clerk', ...address });
  return session?.events.at(-1)?.actions.compaction?.compactedContent.parts?.at(-1)?.text;
}

class Fixed extends EventSummarizer {
  constructor(private readonly text: string) {
    super();
  }

  summarize(): Promise<Content> {
    return Promise.resolve({ role: 'user', parts: [{ text: this.text }] });
  }
}

@agent({ description: '' })
class Clerk extends LlmAgent {}

@agent({ description: '' })
class Silent extends BaseAgent {
  async *run(): AsyncGenerator<Event, void, undefined> {
    // It has nothing to say.
  }
}
