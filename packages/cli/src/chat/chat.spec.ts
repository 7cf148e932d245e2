import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';

import { agent, createRunner, LlmAgent, type Runner, tool, type ToolContext } from '@adorn/core';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import { chat } from './chat.js';
import type { ChatOutput } from './screen.js';
import { ScriptNotFoundError } from './open-input.js';

const CENTS = { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] };
interface Sending {
  readonly to: string;
  readonly cents: number;
  readonly note: string;
}
const SENDING = {
  type: 'object',
  properties: { to: { type: 'string' }, cents: { type: 'integer' }, note: { type: 'string' } },
};
const NOTHING = { type: 'object', properties: {} };

class Bank {
  static started: () => void = () => undefined;
  static finish: () => void = () => undefined;

  @tool({ description: 'Pays.', parameters: CENTS, confirm: 'Pay that much?' })
  pay({ cents }: { cents: number }, context: ToolContext): object {
    context.state.set('paid', cents);
    return { status: 'ok', paid: cents };
  }

  @tool({ description: 'Sends.', parameters: SENDING, confirm: ({ to }) => `Send it to\n  ${to}?` })
  send({ cents }: Sending): object {
    return { sent: cents };
  }

  @tool({ description: 'Works until it is told to finish.', parameters: NOTHING })
  async slow(): Promise<object> {
    await new Promise<void>((resolve) => {
      Bank.finish = resolve;
      Bank.started();
    });
    return { done: true };
  }

  @tool({ description: 'Waits until it is told to stop.', parameters: NOTHING })
  waitForEver(_args: object, { signal }: ToolContext): Promise<object> {
    Bank.started();
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('stopped'));
      });
    });
  }
}

/** Waits until a number of messages waits in the mailbox. */
async function sentTo(runner: Runner, count: number): Promise<void> {
  const key = { appName: runner.appName, userId: 'user', sessionId: 's1' };
  while ((await runner.sessions.listMail(key)).length < count) await new Promise(setImmediate);
}

@agent({ name: 'teller', description: 'Pays.', tools: [Bank] })
class Teller extends LlmAgent {}

describe('chat', () => {
  it('plays a script with an approval, a refusal and its reason, and commands', async () => {
    const model = new ScriptedModel(
      callsTool('pay', { cents: 500 }),
      says('Paid.'),
      callsTool('pay', { cents: 900 }),
      says('Not paid.'),
    );
    const script = await scriptOf('# pays twice\nPay 5\ny\nPay 9\nn, too much\n/state');
    const { written, output } = collect();

    const { faults } = await chat(await runnerOf(model), { script, output });

    expect(faults).toBe(0);
    expect(linesOf(written())).toEqual([
      '› Pay 5',
      '→ pay(cents: 500)',
      '? Pay that much?',
      '  pay(cents: 500)',
      '  y/n › y',
      '← {status: "ok", paid: 500} # ms',
      'Paid.',
      '› Pay 9',
      '→ pay(cents: 900)',
      '? Pay that much?',
      '  pay(cents: 900)',
      '  y/n › n, too much',
      '← {error: "tool call was rejected", reason: "too much"} # ms',
      'Not paid.',
      '› /state',
      'paid = 500',
    ]);
  });

  it('asks about a call with all of its arguments, in the order of the declaration', async () => {
    const note = 'Lunch with your friend on Tuesday, five euros, as you asked, thank you very much.';
    const model = new ScriptedModel(callsTool('send', { note, to: 'evil@a.b', cents: 99 }), says('Sent.'));
    const { written, output } = collect();
    output.columns = 50;

    await chat(await runnerOf(model), { script: await scriptOf('Pay 5\ny'), output });

    expect(linesOf(written()).slice(2, -2)).toEqual([
      '? Send it to evil@a.b?',
      '  send(',
      '    to: "evil@a.b"',
      '    cents: 99',
      '    note: "Lunch with your friend on Tuesday, five',
      '    …  euros, as you asked, thank you very much."',
      '  )',
      '  y/n › y',
    ]);
  });

  it('takes no yes to a call that a terminal has not shown to the end', async () => {
    const note = 'x'.repeat(1_000);
    const model = new ScriptedModel(callsTool('send', { to: 'a', cents: 9, note }), says('Sent.'));
    const { written, output, until } = collect();
    Object.assign(output, { columns: 50, rows: 14 });
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const type = (keys: string) => input.emit('data', Buffer.from(keys));

    const talking = chat(await runnerOf(model), { input, output });
    type('send\ry\r');
    await until('17 lines of 27 not shown yet. Enter shows more, a shows all, n refuses');
    type('y\r');
    await until(/(17 lines of 27 not shown yet[^]*){2}/);
    type('\r');
    await until('7 lines of 27 not shown yet');
    type('y\r');
    await until(/(\D7 lines of 27 not shown yet[^]*){2}/);
    expect(written()).not.toContain('y/n');
    type('a\r');
    await until('y/n ›');
    type('y\r');
    await until('Sent.');
    type('/quit\r');
    await talking;

    expect(written().replace(/[^x]/g, '')).toContain(note);
  });

  it('writes nothing of a model, a tool or a user that commands the terminal', async () => {
    const hostile = '\u001b]52;c;ZXZpbA==\u0007\u001b[8m\u202e\u009b2J\r';
    const model = new ScriptedModel(
      callsTool('send', { to: hostile, cents: 9, note: hostile }),
      says(`Sent${hostile}.`),
      { errorCode: 'SAFETY', errorMessage: hostile },
    );
    const { written, output } = collect();
    Object.assign(output, { isTTY: true });
    const input = Object.assign(new PassThrough(), { isTTY: false });
    input.end(`Pay${hostile}\ny\nAgain\n`);

    await chat(await runnerOf(model), { input, output });

    expect(written()).toContain('Sent]52');
    for (const command of ['\u001b]', '\u001b[8m', '\u0007', '\u202e', '\u009b', 'J\r'])
      expect(written()).not.toContain(command);
  });

  it('cancels the turn at Ctrl-C, not the program, and leaves at /quit', async () => {
    const model = new ScriptedModel(callsTool('wait_for_ever', {}), says('Here again.'));
    const { written, output } = collect();
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const type = (keys: string) => input.emit('data', Buffer.from(keys));
    const running = new Promise<void>((resolve) => (Bank.started = resolve));

    const talking = chat(await runnerOf(model), { input, output });
    type('wait\r');
    await running;
    type('\u0003');
    type('hello\r/quit\r');
    await talking;

    expect(written()).toContain('✗ invocation was cancelled (CANCELLED)');
    expect(written()).toContain('Here again.');
  });

  it('sends what is typed while the agent works: for the run after it, or with /now before its next step', async () => {
    const model = new ScriptedModel(callsTool('slow', {}), says('Done.'), says('Later, then.'));
    const { written, output } = collect();
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const type = (keys: string) => input.emit('data', Buffer.from(keys));
    const running = new Promise<void>((resolve) => (Bank.started = resolve));
    const runner = await runnerOf(model);

    const talking = chat(runner, { input, output, sessionId: 's1' });
    type('work\r');
    await running;
    type('and later this\r');
    type('/now be quick\r');
    await sentTo(runner, 2);
    Bank.finish();
    type('/quit\r');
    await talking;

    expect(written()).toMatch(/› be quick[^]*Done\.[^]*Later, then\./);
    const texts = (model.requests[1]?.contents ?? []).flatMap(({ parts = [] }) =>
      parts.map(({ text }) => text),
    );
    expect(texts).toContain('be quick');
    expect(texts).not.toContain('and later this');
  });

  it('stops the run for a message that is typed with /instead', async () => {
    const model = new ScriptedModel(callsTool('wait_for_ever', {}), says('This instead.'));
    const { written, output } = collect();
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const type = (keys: string) => input.emit('data', Buffer.from(keys));
    const running = new Promise<void>((resolve) => (Bank.started = resolve));

    const talking = chat(await runnerOf(model), { input, output });
    type('wait\r');
    await running;
    type('/instead do this\r/quit\r');
    await talking;

    expect(written()).toMatch(/\(CANCELLED\)[^]*This instead\./);
  });

  it('stops a script at the first fault, and counts it', async () => {
    const model = new ScriptedModel({ errorCode: 'SAFETY', errorMessage: 'Blocked.' });
    const { written, output } = collect();

    const { faults } = await chat(await runnerOf(model), { script: await scriptOf('One\nTwo'), output });

    expect(faults).toBe(1);
    expect(linesOf(written())).toEqual(['› One', '✗ Blocked. (SAFETY)', 'The script stops here.']);
  });

  it('ends quietly where nobody reads any more', async () => {
    const output = new Writable({
      write: (_piece, _encoding, done) => {
        done(new Error('EPIPE'));
      },
    });
    const model = new ScriptedModel(says('Hello.'), says('Hello again.'));

    const { faults } = await chat(await runnerOf(model), { script: await scriptOf('One\nTwo'), output });

    expect(faults).toBe(0);
  });

  it('plays the lines of an input that is no terminal', async () => {
    const { written, output } = collect();
    const input = new PassThrough();
    input.end('Hello\n');

    await chat(await runnerOf(new ScriptedModel(says('Good day.'))), { input, output });

    expect(linesOf(written())).toEqual(['› Hello', 'Good day.']);
  });

  it.each([
    ['the last turn', 5, ['› 1', '1.', '› 2', '2.', '› 3', '3.', '› 4', '4.']],
    ['more than is shown', 2, ['› 1', '1.']],
    ['all of it', 1, []],
  ])('takes up a conversation with what still stands after %s was undone', async (_what, turn, shown) => {
    const address = { userId: 'ada', sessionId: 's1' };
    const texts = ['1', '2', '3', '4', '5'];
    const runner = await runnerOf(new ScriptedModel(...texts.map((text) => says(`${text}.`))));
    const invocations: string[] = [];
    for (const message of texts) {
      const [answer] = await eventsOf(runner.run({ ...address, message }));
      invocations.push(answer?.invocationId ?? '');
    }
    await runner.rewind({ ...address, invocationId: invocations[turn - 1] ?? '' });
    const { written, output } = collect();

    await chat(runner, { ...address, script: await scriptOf(''), output });

    expect(linesOf(written())).toEqual([
      'Continuing the conversation after 11 events; /new starts another.',
      ...shown,
    ]);
  });

  it('says which script is not there', async () => {
    const chatting = chat(await runnerOf(new ScriptedModel()), {
      script: 'nowhere.txt',
      output: collect().output,
    });

    await expect(chatting).rejects.toThrow(ScriptNotFoundError);
    await expect(chatting).rejects.toThrow(
      /^The script nowhere\.txt cannot be read \(ENOENT\)\. Pass --script the path/,
    );
  });
});

const opened: { close(): Promise<void> }[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const runner of opened.splice(0)) await runner.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function runnerOf(model: ScriptedModel): Promise<Runner> {
  const runner = await createRunner(Teller, { model });
  opened.push(runner);
  return runner;
}

async function scriptOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'adorn-chat-'));
  folders.push(folder);
  await writeFile(join(folder, 'script.txt'), text);
  return join(folder, 'script.txt');
}

function collect(): {
  output: ChatOutput & { columns?: number };
  written: () => string;
  /** Resolves as soon as that much has been written. */
  until: (expected: string | RegExp) => Promise<void>;
} {
  const output = new PassThrough();
  let text = '';
  const isWritten = (expected: string | RegExp): boolean =>
    typeof expected === 'string' ? text.includes(expected) : expected.test(text);
  output.on('data', (piece: Buffer) => (text += piece.toString()));
  const until = async (expected: string | RegExp): Promise<void> => {
    while (!isWritten(expected)) await once(output, 'data');
  };
  return { output, written: () => text, until };
}

/** How long something took is nobody's promise. */
function linesOf(text: string): string[] {
  return text
    .replace(/\d+ ms/g, '# ms')
    .split('\n')
    .filter((line) => line !== '');
}
