import 'reflect-metadata';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { agent, createRunner, type CreateRunnerOptions, LlmAgent, tool } from './index.js';

/** The compiler derives the tools of this file, in a process of its own. */
const SLOW = 60_000;

interface Stay {
  city: string;
  /** @default 2 */
  nights?: number;
  /** @minimum 1 */
  guests: number;
}

class Hotel {
  /**
   * Book a room.
   * @example {"id": "A-17", "stay": {"city": "Oslo", "guests": 2}}
   * @param id Order number. @example "A-17"
   */
  @tool
  book(id: string, stay: Stay, extras: string[] = ['wifi'], note?: string): unknown {
    return { id, stay, extras, note: note ?? 'none' };
  }

  @tool({ unknownArguments: 'drop' })
  cancel(id: string): unknown {
    return { id };
  }

  @tool
  login(user: string, password: string): unknown {
    return { user, length: password.length };
  }
}

@agent({ description: '', tools: [Hotel] })
class Clerk extends LlmAgent {}

describe('the arguments of a call', () => {
  it.each<[string, string, Record<string, unknown>, unknown]>([
    [
      'with what they leave out filled in: by the schema, and by the method itself',
      'book',
      { id: 'A-17', stay: { city: 'Oslo', guests: 1 } },
      { id: 'A-17', stay: { city: 'Oslo', nights: 2, guests: 1 }, extras: ['wifi'], note: 'none' },
    ],
    [
      'of another form in which nothing else can be meant',
      'book',
      { id: 17, stay: '{"city":"Oslo","nights":"3","guests":"1"}', extras: 'sauna', note: null },
      { id: '17', stay: { city: 'Oslo', nights: 3, guests: 1 }, extras: ['sauna'], note: 'none' },
    ],
    [
      'without those that the tool does not have, where it says so',
      'cancel',
      { id: 'A-17', reason: 'rain' },
      { id: 'A-17' },
    ],
  ])(
    'reach the method %s',
    async (_what, name, args, result) => {
      const sent = structuredClone(args);

      expect(await answersTo([[name, args]])).toEqual([result]);
      expect(args).toEqual(sent);
    },
    SLOW,
  );

  it(
    'are refused with every problem and an example, and the run goes on',
    async () => {
      const wrong = { id: 'A-17', stay: { city: null, guests: 0 }, extras: [{}], colour: 'red' };
      const example = 'An example: {"id":"A-17","stay":{"city":"Oslo","guests":2}}';

      expect(
        await answersTo([
          ['book', wrong],
          ['book', {}],
        ]),
      ).toEqual([
        {
          error:
            'Invalid arguments for "book": colour is not a parameter; stay.city is required and missing; ' +
            'stay.guests must be >= 1, and is 0; extras[0] must be string, not {}. Correct them and call the tool again. ' +
            example,
        },
        {
          error:
            'Invalid arguments for "book": id is required and missing, for example "A-17"; ' +
            `stay is required and missing. Correct them and call the tool again. ${example}`,
        },
      ]);
    },
    SLOW,
  );

  it(
    'are refused without a word of what is a secret',
    async () => {
      expect(await answersTo([['login', { user: 'ada', password: ['hunter2'] }]])).toEqual([
        {
          error:
            'Invalid arguments for "login": password must be string, not (hidden). Correct them and call the tool again.',
        },
      ]);
    },
    SLOW,
  );

  it(
    'that no tool has are dropped where the run says so',
    async () => {
      const calls: Calls = [['login', { user: 'ada', password: 'hunter2', remember: true }]];

      expect(await answersTo(calls)).toMatchObject([
        { error: expect.stringContaining('remember is not a parameter') as unknown },
      ]);
      expect(await answersTo(calls, { config: { unknownArguments: 'drop' } })).toEqual([
        { user: 'ada', length: 7 },
      ]);
    },
    SLOW,
  );
});

type Calls = readonly (readonly [name: string, args: Record<string, unknown>])[];

async function answersTo(calls: Calls, options: CreateRunnerOptions = {}): Promise<unknown[]> {
  const model = new ScriptedModel(...calls.map(([name, args]) => callsTool(name, args)), says('Done.'));
  const runner = await createRunner(Clerk, { ...options, model });
  const events = await eventsOf(runner.run({ userId: 'ada', message: 'Go on.' }));
  expect(events.at(-1)?.text).toBe('Done.');
  return events.flatMap(({ functionResponses }) => functionResponses).map(({ response }) => response);
}
