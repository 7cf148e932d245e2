import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { createRunner, defineAgent, FunctionTool, type Runner } from '@adorn/core';
import { liveSessions } from '@adorn/live';
import {
  callsLive,
  callsTool,
  hears,
  refuses,
  says,
  ScriptedLive,
  ScriptedModel,
  type ScriptedStep,
  speaks,
  TextLive,
  untilAudio,
} from '@adorn/testing';

import { ScriptInput } from '../chat/open-input.js';
import { Screen } from '../chat/screen.js';
import { liveChat, type LiveChatOptions } from './live-chat.js';

const ADDRESS = { userId: 'user', sessionId: 'call' };

describe('a live conversation in the terminal', () => {
  it('writes line by line, each after the answer before it, and asks what a call needs', async () => {
    const model = new TextLive(
      new ScriptedModel(
        says('Hello.'),
        callsTool('pay', { cents: 5 }),
        says('I have asked.'),
        says('Paid.'),
        callsTool('pay', { cents: 9 }),
        says('I have asked again.'),
        says('Not paid.'),
      ),
    );

    const { lines, faults } = await play(
      { session: { ...ADDRESS, model } },
      'Hi\nPay 5\ny\nPay 9\nn, too much',
    );

    expect(lines).toEqual([
      '› Hi',
      'Hello.',
      '› Pay 5',
      '→ pay(cents: 5)',
      'I have asked.',
      '? Pay that much?',
      '  pay(cents: 5)',
      '  y/n › y',
      '← {paid: 5}',
      'Paid.',
      '› Pay 9',
      '→ pay(cents: 9)',
      'I have asked again.',
      '? Pay that much?',
      '  pay(cents: 9)',
      '  y/n › n, too much',
      expect.stringContaining('too much'),
      'Not paid.',
    ]);
    expect(faults).toBe(0);
  });

  it('speaks until the speech ends, and shows and plays what is said', async () => {
    const model = new ScriptedLive(untilAudio(2), hears('Who is there?'), speaks('The desk.'));
    const played: number[] = [];
    const player = {
      command: 'none',
      play: (speech: Uint8Array) => played.push(speech.length),
      stop: () => undefined,
    };

    const { lines, faults } = await play({
      session: { ...ADDRESS, model },
      speech: talk,
      player,
      quietMs: 100,
    });

    expect(faults).toBe(0);
    expect(lines).toEqual(['› Who is there?', 'The desk.']);
    expect(played).toEqual([960, 960]);
  });

  it('lets a greeting end before the first message', async () => {
    const model = new ScriptedLive(speaks('Welcome.'), callsLive('pay', { cents: 1 }, 'c1'), speaks('Sure.'));

    const { lines } = await play({ session: { ...ADDRESS, model } }, 'Hi');

    expect(lines[0]).toBe('Welcome.');
  });

  it('ends with a fault if the model cannot be reached, or the microphone fails', async () => {
    const unreachable = new ScriptedLive(refuses(new Error('no route')));
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(new Uint8Array(2));
      throw new Error('unplugged');
    };

    expect(await play({ session: { ...ADDRESS, model: unreachable } }, 'Hi')).toMatchObject({
      faults: 1,
      lines: ['✗ no route (MODEL_FAILED)'],
    });
    const session = { ...ADDRESS, model: new ScriptedLive() };
    expect(await play({ session, speech: broken, quietMs: 50 })).toMatchObject({
      faults: 1,
      lines: ['✗ unplugged'],
    });
  });
});

async function* talk(rate: number): AsyncGenerator<Uint8Array> {
  for (let chunk = 0; chunk < 2; chunk++) yield await Promise.resolve(new Uint8Array(rate / 25));
}

async function play(
  options: Pick<LiveChatOptions, 'session' | 'speech' | 'player' | 'quietMs'>,
  script = '',
): Promise<{ lines: string[]; faults: number }> {
  const output = new PassThrough();
  const screen = new Screen(output);
  const input = new ScriptInput(script, (shown) => {
    screen.stream(shown);
  });
  await using runner = await openRunner([]);
  const { faults } = await liveChat(runner, { ...options, input, screen });
  output.end();
  await once(output, 'finish');
  return { lines: (await text(output)).split('\n').filter((line) => line !== ''), faults };
}

function openRunner(steps: readonly ScriptedStep[]): Promise<Runner> {
  const parameters = { type: 'object', properties: { cents: { type: 'integer' } } } as const;
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    parameters,
    confirm: 'Pay that much?',
    run: ({ cents }: { cents?: number }) => ({ paid: cents }),
  });
  const Teller = defineAgent({ name: 'teller', tools: [pay] });
  return createRunner(Teller, { model: new ScriptedModel(...steps), modules: [liveSessions] });
}
