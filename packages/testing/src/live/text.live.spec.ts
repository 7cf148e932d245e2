import { createRunner, defineAgent, type Event, FunctionTool } from '@adorn/core';
import type { LiveRunInput, LiveSession } from '@adorn/core/backend';
import { liveSessions } from '@adorn/live';

import { pcm } from '../microphone/pcm.js';
import { callsTool, says, type ScriptedStep, streams } from '../scripted/scripted-step.js';
import { ScriptedModel } from '../scripted/scripted.model.js';
import { TextLive } from './text.live.js';

const LOUD = pcm({ loudness: 0.15 });
const SILENT = pcm({ loudness: 0 });

describe('TextLive', () => {
  it('answers text by text, each call by its result, and ends a turn once', async () => {
    const { live, model, close } = await start([callsTool('add', { a: 1 }), streams('It ', 'is 2.')]);
    live.sendText('Add one.');
    const events = await turn(live);
    await close();

    expect(events.filter(({ partial }) => !partial).map(shown)).toEqual([
      'user: Add one.',
      '→ add',
      '← 2',
      'clerk: It is 2.',
    ]);
    expect(model.requests[0]?.config.systemInstruction).toContain('Be kind.');
    model.assertDone();
  });

  it('hears utterances between silences, with the words that it was given', async () => {
    const { live, model, close } = await start([says('One.'), says('Two.')], {}, ['Hello']);
    void live.sendAudio(speech(LOUD, 50, SILENT, 30));
    await turn(live);
    void live.sendAudio(speech(LOUD, 60, SILENT, 5));
    await turn(live);
    await close();

    expect(model.requests.map(({ contents }) => contents.at(-1)?.parts?.[0]?.text)).toEqual([
      'Hello',
      '(1.2 s of speech)',
    ]);
  });

  it('hears what the application says is speech, however quiet', async () => {
    const { live, close } = await start([says('One.')], { activity: 'manual' }, ['Hello']);
    live.sendActivity('start');
    await live.sendAudio(SILENT);
    live.sendActivity('end');

    expect((await turn(live)).map(shown)).toContain('clerk: One.');
    await close();
  });

  it('is told the result of a background tool when it comes, and answers it', async () => {
    const { live, model, close } = await start([callsTool('search'), says('I look.'), says('Found.')]);
    live.sendText('Search.');
    await turn(live);
    await turn(live);
    await close();

    const [, response] = model.requests.at(-1)?.contents.slice(-2) ?? [];
    expect(response?.parts?.[0]?.functionResponse?.response).toEqual({ result: 'found' });
  });

  it('shows its model what was said during a call behind the result of the call', async () => {
    const { live, model, called, finish, close } = await start([callsTool('wait'), says('Both.')]);
    live.sendText('Wait.');
    await called;
    live.sendText('And then?');
    finish('waited');
    await turn(live);
    await close();

    const [, call, response, words] = model.requests.at(-1)?.contents ?? [];
    expect(call?.parts?.[0]?.functionCall?.name).toBe('wait');
    expect(response?.parts?.[0]?.functionResponse?.response).toEqual({ result: 'waited' });
    expect(words?.parts).toEqual([{ text: 'And then?' }]);
  });

  it('tells the failure of its model, and goes on', async () => {
    const broken = (): never => {
      throw new Error('no route');
    };
    const { live, close } = await start([broken, says('Again.')]);
    live.sendText('Hello');
    const failed = await turn(live);
    live.sendText('Hello');
    const answered = await turn(live);
    await close();

    expect(failed.find(({ errorCode }) => errorCode !== undefined)?.errorMessage).toContain('no route');
    expect(answered.map(shown)).toContain('clerk: Again.');
  });

  it('says that it sees no images', async () => {
    const { live, close } = await start([]);
    for await (const { live: news } of live) if (news?.kind === 'connected') break;
    live.sendVideo(new Uint8Array(3));
    for await (const { errorCode } of live) if (errorCode === 'LIVE_NOT_SUPPORTED') break;
    await close();
  });
});

async function start(
  steps: readonly ScriptedStep[],
  input: LiveRunInput = {},
  words: readonly string[] = [],
) {
  const model = new ScriptedModel(...steps);
  const parameters = { type: 'object', properties: { a: { type: 'number' } } } as const;
  const add = new FunctionTool({
    name: 'add',
    description: 'Adds.',
    parameters,
    run: ({ a = 0 }: { a?: number }) => a + 1,
  });
  const search = new FunctionTool({
    name: 'search',
    description: 'Searches.',
    background: true,
    run: () => 'found',
  });
  let begin: (value?: undefined) => void = () => undefined;
  const called = new Promise<undefined>((resolve) => (begin = resolve));
  let finish: (result: string) => void = () => undefined;
  const finished = new Promise<string>((resolve) => (finish = resolve));
  const wait = new FunctionTool({
    name: 'wait',
    description: 'Waits.',
    run: () => {
      begin();
      return finished;
    },
  });
  const Clerk = defineAgent({ name: 'clerk', instruction: 'Be kind.', tools: [add, search, wait] });
  const runner = await createRunner(Clerk, { model: new ScriptedModel(), modules: [liveSessions] });
  const live = runner.live({ model: new TextLive(model, { words }), ...input });
  return { live, model, called, finish: (result: string) => finish(result), close: () => runner.close() };
}

/** The events up to the end of a turn. */
async function turn(live: LiveSession): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of live) {
    events.push(event);
    if (event.author !== 'user' && event.turnComplete) return events;
  }
  throw new Error('The session has ended.');
}

async function* speech(...parts: readonly (Uint8Array | number)[]): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < parts.length; at += 2)
    for (let times = 0; times < Number(parts[at + 1]); times++)
      yield await Promise.resolve(parts[at] as Uint8Array);
}

function shown({ author, text, functionCalls, functionResponses }: Event): string {
  if (functionCalls.length > 0) return `→ ${functionCalls.map(({ name = '' }) => name).join()}`;
  const [response] = functionResponses;
  if (response !== undefined) return `← ${JSON.stringify(response.response?.['result'])}`;
  return `${author}: ${text}`;
}
