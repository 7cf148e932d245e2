import { AdornClient, ClientSession, createAdornClient } from './adorn-client.js';

/** Arguments that no method takes; `undefined` leaves out what is optional. */
const WRONG: readonly unknown[] = [undefined, null, 5, ''];

const sent: string[] = [];
const fetches: typeof fetch = (input) => {
  sent.push(new Request(input).url);
  return Promise.resolve(Response.json([{ name: 'desk', agent: 'desk', description: '' }]));
};
const client = createAdornClient('http://localhost', { app: 'desk', fetch: fetches });

/** The arguments of each method, of which each in turn is replaced by a wrong one; `?` is before an optional one. */
const CLIENT: Readonly<Record<string, readonly unknown[]>> = {
  apps: [],
  sessions: ['?', {}],
  createSession: ['?', {}],
  session: ['s1'],
  inbox: ['?', {}],
  watchInbox: ['?', {}, {}],
  memories: ['?', {}],
  correctMemory: ['m1', 'New words.'],
  deleteMemory: ['m1'],
  profiles: [],
  correctProfile: ['likes', {}],
  deleteProfile: ['likes'],
  sessionOf: [{ userId: 'ada', sessionId: 's1' }],
};
const SESSION: Readonly<Record<string, readonly unknown[]>> = {
  send: ['Hello.', '?', {}],
  post: ['Hello.', '?', {}],
  feedback: ['e-1', { score: 1 }],
  approve: ['r1', '?', {}],
  reject: ['r1', '?', {}],
  // Any JSON may be supplied.
  supply: ['r1'],
  delegate: ['r1', 'mia', '?', {}],
  undo: ['e-1', '?', {}],
  history: [],
  pending: [],
  ui: ['c1'],
  callFromUi: ['c1', { name: 'search' }],
  uiCall: ['c1', 'c2'],
  follow: ['e-1', '?', {}],
  artifacts: [],
  artifact: ['plan.md'],
  rename: ['Plans'],
  updateState: [{}],
  delete: [],
};

interface Case {
  readonly name: string;
  readonly args: readonly unknown[];
}

function casesOf(methods: Readonly<Record<string, readonly unknown[]>>): Case[] {
  return Object.entries(methods).flatMap(([name, listed]) => {
    const optionalFrom = listed.includes('?') ? listed.indexOf('?') : Infinity;
    const args = listed.filter((one) => one !== '?');
    return args.flatMap((_, index) =>
      WRONG.filter((wrong) => wrong !== undefined || index < optionalFrom).map((wrong) => ({
        name,
        args: args.with(index, wrong),
      })),
    );
  });
}

/** Calls a method by its name, as a program without types does. */
async function called(target: object, { name, args }: Case): Promise<unknown> {
  const method: unknown = Reflect.get(target, name);
  if (typeof method !== 'function') throw new Error(`There is no ${name}.`);
  try {
    return await Reflect.apply(method, target, args);
  } catch (error) {
    return error;
  }
}

const REFUSED = { name: 'AdornClientError', code: 'REQUEST_INVALID', status: 0 };

describe('the client of a server', () => {
  it('has no method but those that are tried here', () => {
    const internal = new Set(['constructor', 'profilePath', 'memoryPath', 'wholeInbox', 'path', 'findApp']);
    const own = new Set(['constructor', 'uiPath', 'answer', 'run', 'opened']);
    const publicOf = (prototype: object, hidden: ReadonlySet<string>) =>
      Object.getOwnPropertyNames(prototype).filter((name) => !hidden.has(name));

    expect(publicOf(AdornClient.prototype, internal).sort()).toEqual(Object.keys(CLIENT).sort());
    expect(publicOf(ClientSession.prototype, own).sort()).toEqual(Object.keys(SESSION).sort());
  });

  it.each(casesOf(CLIENT))('refuses $name($args), and sends nothing', async (one) => {
    sent.length = 0;

    expect(await called(client, one)).toMatchObject(REFUSED);
    expect(sent).toEqual([]);
  });

  it.each(casesOf(SESSION))('refuses $name($args) of a session, and sends nothing', async (one) => {
    sent.length = 0;

    expect(await called(client.session('s1'), one)).toMatchObject(REFUSED);
    expect(sent).toEqual([]);
  });

  it.each([[[undefined]], [[null]], [[5]], [['']], [['http://localhost', null]], [['http://localhost', 5]]])(
    'is not made of %j',
    async (args) => {
      expect(await called({ createAdornClient }, { name: 'createAdornClient', args })).toMatchObject(REFUSED);
    },
  );

  it('says what was given, and what to pass instead', () => {
    expect(() => client.session('')).toThrow('id is an empty text. Pass a text that is not empty.');
  });
});
