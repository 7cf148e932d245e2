import { eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  type CallbackContext,
  type Content,
  createRunner,
  type Event,
  LlmAgent,
  Plugin,
} from '../index.js';

describe('beforeAgent and afterAgent', () => {
  it('ask plugins first, in their order, and then the agent', async () => {
    const asked: string[] = [];
    const { events } = await run(says('Hello.'), asked, [new Noting('one', asked), new Noting('two', asked)]);

    expect(asked).toEqual([
      'one before',
      'two before',
      'clerk before',
      'one after',
      'two after',
      'clerk after',
    ]);
    expect(events.map(({ text }) => text)).toEqual(['Hello.']);
  });

  it('let the first answer end the chain: the agent does not run, and nothing comes after it', async () => {
    const asked: string[] = [];
    const { events, model } = await run(says('never said'), asked, [
      new Noting('one', asked),
      new Noting('two', asked, { before: 'We are closed.' }),
      new Noting('three', asked),
    ]);

    expect(asked).toEqual(['one before', 'two before']);
    expect(events.map(({ author, text }) => [author, text])).toEqual([['clerk', 'We are closed.']]);
    expect(model.requests).toEqual([]);
  });

  it('let afterAgent add to what the agent said, never replace it', async () => {
    const asked: string[] = [];
    const { events } = await run(says('Hello.'), asked, [
      new Noting('one', asked, { after: 'Was this helpful?' }),
      new Noting('two', asked),
    ]);

    expect(events.map(({ author, text }) => [author, text])).toEqual([
      ['clerk', 'Hello.'],
      ['clerk', 'Was this helpful?'],
    ]);
    expect(asked).toEqual(['one before', 'two before', 'clerk before', 'one after']);
  });

  it('cannot steer the run: they have no actions', async () => {
    class Closing extends Plugin {
      readonly name = 'closing';

      override beforeAgent(context: CallbackContext): void {
        (context as unknown as { actions: { escalate: boolean } }).actions.escalate = true;
      }
    }

    await expect(run(says('Hello.'), [], [new Closing()])).rejects.toMatchObject({
      code: 'ACTIONS_UNAVAILABLE',
    });
  });

  it('store what they said and what they wrote to the state', async () => {
    const asked: string[] = [];
    const plugin = new Noting('one', asked, {
      before: 'We are closed.',
      state: { 'app:closed': 1, 'temp:draft': 2 },
    });
    const { events, stored } = await run(says('never said'), asked, [plugin]);

    expect(events[0]?.actions.stateDelta).toEqual({ 'app:closed': 1 });
    expect(stored.events.map(({ author, text }) => [author, text])).toEqual([
      ['user', 'Hello?'],
      ['clerk', 'We are closed.'],
    ]);
    expect(stored.state).toEqual({ 'app:closed': 1 });
  });

  it('make an event of a write alone, before the agent asks its model', async () => {
    const asked: string[] = [];
    const { events, model } = await run(says('Hello, Ada.'), asked, [
      new Noting('one', asked, { state: { customer: 'Ada' } }),
    ]);

    expect(
      events.map(({ text, content, actions }) => [text, content === undefined, actions.stateDelta]),
    ).toEqual([
      ['', true, { customer: 'Ada' }],
      ['Hello, Ada.', false, {}],
    ]);
    expect(model.requests[0]?.config.systemInstruction).toContain('Serve Ada.');
  });
});

interface Notes {
  readonly before?: string;
  readonly after?: string;
  readonly state?: Readonly<Record<string, unknown>>;
}

class Noting extends Plugin {
  constructor(
    readonly name: string,
    private readonly asked: string[],
    private readonly notes: Notes = {},
  ) {
    super();
  }

  override beforeAgent({ state }: CallbackContext): Content | undefined {
    this.asked.push(`${this.name} before`);
    for (const [key, value] of Object.entries(this.notes.state ?? {})) state.set(key, value);
    return said(this.notes.before);
  }

  override afterAgent(): Content | undefined {
    this.asked.push(`${this.name} after`);
    return said(this.notes.after);
  }
}

function said(text: string | undefined): Content | undefined {
  return text === undefined ? undefined : { role: 'model', parts: [{ text }] };
}

async function run(answer: ReturnType<typeof says>, asked: string[], plugins: readonly Plugin[]) {
  @agent({ name: 'clerk', description: '', instruction: 'Serve {customer?}.' })
  class Clerk extends LlmAgent {
    override beforeAgent(): undefined {
      asked.push('clerk before');
    }

    override afterAgent(): undefined {
      asked.push('clerk after');
    }
  }
  const model = new ScriptedModel(answer);
  const runner = await createRunner(Clerk, { model, plugins });
  const events: Event[] = await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message: 'Hello?' }));
  const stored = await runner.sessions.getSession({ appName: 'clerk', userId: 'ada', sessionId: 's1' });
  if (stored === undefined) throw new Error('the session was not stored');
  return { events, model, stored };
}
