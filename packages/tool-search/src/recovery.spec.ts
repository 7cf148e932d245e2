import {
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  InMemorySessionService,
  type ModelRequest,
  type ModelResponse,
  type Session,
  SessionService,
} from '@adorn/core';
import { callsTool, eventsOf, ManualClock, says, ScriptedModel } from '@adorn/testing';

import { searchable } from './index.js';
import { namesIn, Orders } from './searchable.fixture.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

/** A store whose process dies behind an event: the event is stored, and nobody is told. */
class Dying extends InMemorySessionService {
  appended = 0;
  private tell: () => void = () => undefined;
  readonly died = new Promise<void>((resolve) => (this.tell = resolve));

  constructor(private readonly last: number) {
    super();
  }

  override async appendEvent(...given: Parameters<InMemorySessionService['appendEvent']>): Promise<Session> {
    const session = await super.appendEvent(...given);
    if (++this.appended !== this.last) return session;
    this.tell();
    return new Promise(() => undefined);
  }
}

/** Searches, calls what it has found, and answers: by what the conversation has, as a model does. */
function decide({ contents, config }: ModelRequest): ModelResponse {
  const done = JSON.stringify(contents);
  if (done.includes('on its way')) return says('It is on its way.');
  const isDeclared = JSON.stringify(config.tools).includes('"track_parcel"');
  return isDeclared ? callsTool('track_parcel') : callsTool('search_tools', { query: 'parcel' });
}

function processOf(sessions: SessionService) {
  const model = new ScriptedModel(...Array.from({ length: 9 }, () => decide));
  const modules = [
    new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
      bind(Clock).toConstantValue(new ManualClock());
    }),
  ];
  const root = defineAgent({ name: 'clerk', tools: [searchable(Orders)] });
  return createRunner(root, { model, modules, appName: 'shop' }).then((runner) => ({ runner, model }));
}

const isFound = (model: ScriptedModel): boolean => namesIn(model).at(-1)?.includes('track_parcel') === true;
const text = (events: readonly Event[]): string => events.map((event) => event.text).join('');

describe('a search whose process dies', () => {
  it('is recovered behind every stored event, and the tool is found and called once', async () => {
    const whole = new Dying(Infinity);
    const { runner } = await processOf(whole);
    await eventsOf(runner.run({ ...ADDRESS, message: 'Where is it?' }));
    expect(whole.appended).toBeGreaterThan(4);

    for (let last = 1; last < whole.appended; last++) {
      const store = new Dying(last);
      const dying = await processOf(store);
      void eventsOf(dying.runner.run({ ...ADDRESS, message: 'Where is it?' }));
      await store.died;

      const next = await processOf(store);
      const [recovered] = await next.runner.recover({ olderThan: 0 });

      expect([last, recovered?.result?.text]).toEqual([last, 'It is on its way.']);
      expect(isFound(next.model)).toBe(true);
      const session = await store.getSession({ appName: 'shop', ...ADDRESS });
      const calls = (session?.events ?? []).flatMap(({ functionResponses }) => functionResponses);
      expect(calls.filter(({ name }) => name === 'track_parcel').length).toBe(1);
      expect(text(session?.events ?? [])).toContain('on its way');
    }
  });
});
