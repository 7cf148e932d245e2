import { callsTool, says } from '@adorn/testing';

import { Conversation, Desk, lines } from '../agents/workflow/workflow.fixture.js';
import { agent, BaseAgent, createRunner, type Event, type InvocationContext, Plugin } from '../index.js';

const FINAL = { ...said('Final.'), actions: { stateDelta: { paid: true } } };

describe('a run of a custom agent that is repeated behind a pause', () => {
  it.each<[string, Body, string[]]>([
    [
      'that yields the same',
      async function* (context) {
        yield own(context, said('Hello.'));
        yield* context.invoke('asks');
        yield own(context, FINAL);
      },
      ['top/asks: response publish', 'top/asks: Published.', 'top: Final.'],
    ],
    [
      'that appends an event before it yields it',
      async function* (context) {
        const hello = own(context, said('Hello.'));
        await context.append(hello);
        yield hello;
        yield* context.invoke('asks');
        const final = own(context, FINAL);
        await context.append(final);
        yield final;
      },
      ['top/asks: response publish', 'top/asks: Published.', 'top: Final.'],
    ],
    [
      'that creates the invocation before the event',
      async function* (context) {
        const asking = context.invoke('asks');
        yield own(context, said('Hello.'));
        yield* asking;
        yield own(context, FINAL);
      },
      ['top/asks: response publish', 'top/asks: Published.', 'top: Final.'],
    ],
    [
      'that shows pieces of its event',
      async function* (context) {
        yield own(context, { ...said('Hel'), partial: true });
        yield own(context, said('Hello.'));
        yield* context.invoke('asks');
        yield own(context, FINAL);
      },
      ['top/asks: response publish', 'top/asks: Published.', 'top: Final.'],
    ],
  ])('%s continues', async (_what, body, wanted) => {
    const { after, state } = await resumed(body, body);

    expect([lines(after), state['paid']]).toEqual([wanted, true]);
  });

  it.each<[string, Body]>([
    [
      'that yields an event less before',
      async function* (context) {
        yield* context.invoke('asks');
        yield own(context, FINAL);
      },
    ],
    [
      'that yields an event more before',
      async function* (context) {
        yield own(context, said('Hello.'));
        yield own(context, said('Again.'));
        yield* context.invoke('asks');
        yield own(context, FINAL);
      },
    ],
    [
      'that yields another text',
      async function* (context) {
        yield own(context, said('Hi.'));
        yield* context.invoke('asks');
        yield own(context, FINAL);
      },
    ],
    [
      'that appends another text',
      async function* (context) {
        await context.append(own(context, said('Hi.')));
        yield* context.invoke('asks');
        yield own(context, FINAL);
      },
    ],
    [
      'that writes another state',
      async function* (context) {
        yield own(context, { ...said('Hello.'), actions: { stateDelta: { paid: false } } });
        yield* context.invoke('asks');
        yield own(context, FINAL);
      },
    ],
    [
      'that invokes another agent before',
      async function* (context) {
        yield own(context, said('Hello.'));
        yield* context.invoke('other');
        yield* context.invoke('asks');
        yield own(context, FINAL);
      },
    ],
    [
      'that yields the event behind the invocation',
      async function* (context) {
        const asking = context.invoke('asks');
        yield* asking;
        yield own(context, said('Hello.'));
        yield own(context, FINAL);
      },
    ],
    [
      'that ends',
      async function* () {
        // Nothing.
      },
    ],
  ])('%s ends with AGENT_TREE_CHANGED, and nothing is run or stored', async (_what, body) => {
    const { after, state, desk } = await resumed(async function* (context) {
      yield own(context, said('Hello.'));
      yield* context.invoke('asks');
      yield own(context, FINAL);
    }, body);

    expect(after[0]).toMatchObject({ errorCode: 'AGENT_TREE_CHANGED', nodeInfo: { path: 'top' } });
    expect([state, desk.ran]).toEqual([{}, []]);
  });

  it('continues where a plugin has replaced its event', async () => {
    class Redacts extends Plugin {
      readonly name = 'redacts';
      private count = 0;

      override onEvent(event: Event) {
        return event.author === 'top'
          ? event.with({ content: said(`Event ${String(++this.count)}`).content })
          : undefined;
      }
    }
    const body: Body = async function* (context) {
      yield own(context, said('Hello.'));
      yield* context.invoke('asks');
      yield own(context, said('Final.'));
    };

    const { after } = await resumed(body, body, new Redacts());

    expect(lines(after).at(-1)).toMatch(/^top: Event/);
  });

  it('continues where a plugin had written state before the run', async () => {
    class Counts extends Plugin {
      readonly name = 'counts';

      override beforeRun({ state }: Parameters<NonNullable<Plugin['beforeRun']>>[0]) {
        state.set('seen', true);
      }
    }
    const body: Body = async function* (context) {
      yield* context.invoke('asks');
      yield own(context, FINAL);
    };

    const { state } = await resumed(body, body, new Counts());

    expect(state).toEqual({ seen: true, paid: true });
  });

  it('continues behind an agent that it had left in the midst of its turn', async () => {
    const body: Body = async function* (context) {
      for await (const event of context.invoke('other')) {
        yield event;
        break;
      }
      yield own(context, said('Enough.'));
      yield* context.invoke('asks');
    };

    const { after } = await resumed(body, body);

    expect(lines(after)).toContain('top/asks: Published.');
    expect(lines(after)).not.toContain('top: Enough.');
  });
});

type EventBody = Parameters<InvocationContext['event']>[0];

type Body = (context: InvocationContext) => AsyncGenerator<Event, void, undefined>;

/** A run that pauses in its sub-agent `asks`, and the run that continues it, with code of its own. */
async function resumed(first: Body, second: Body, ...plugins: Plugin[]) {
  const desk = new Desk();
  const asks = desk.agent('asks', callsTool('publish'), says('Published.'));
  const other = desk.agent(
    'other',
    callsTool('note', { key: 'k', value: 'v' }),
    says('Noted.'),
    says('Again.'),
  );
  let run = 0;
  @agent({ name: 'top', description: '', subAgents: [asks, other] })
  class Top extends BaseAgent {
    run(context: InvocationContext) {
      return (run++ === 0 ? first : second)(context);
    }
  }
  const runner = await createRunner(Top, { plugins });
  const { pending } = await runner.run({ ...Conversation.address, message: 'Go.' });
  const [request] = pending;
  if (request === undefined) throw new Error('nothing is pending');
  const { events: after } = await runner.approve(request);
  const session = await runner.sessions.getSession({ appName: runner.appName, ...Conversation.address });
  return { after, state: session?.state ?? {}, desk };
}

function own(context: InvocationContext, body: Omit<EventBody, 'author'>): Event {
  return context.event({ author: 'top', ...body });
}

function said(text: string) {
  return { content: { role: 'model', parts: [{ text }] } };
}
