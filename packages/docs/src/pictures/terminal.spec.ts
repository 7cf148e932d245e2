import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { expectKeptPicture } from './kept-picture.fixture.js';
import { drawTerminal } from './terminal-svg.fixture.js';

const BIN = resolve('packages/cli/bin/adorn.js');
/** What `npm create adorn my-app` begins with. */
const TEMPLATES = 'packages/cli/templates';
/** The program of the page about `adorn check`. */
const CHECKED = 'packages/docs/src/pictures/checked-desk.fixture.ts';
/** A terminal in colours, and no key of a provider. */
const ENVIRONMENT = {
  ...{ FORCE_COLOR: '1', NO_COLOR: '', COLUMNS: '100', NODE_ENV: '' },
  ...{
    GEMINI_API_KEY: '',
    GOOGLE_API_KEY: '',
    GOOGLE_GENAI_USE_VERTEXAI: '',
    OPENAI_API_KEY: '',
    OPENAI_BASE_URL: '',
    ANTHROPIC_API_KEY: '',
  },
};

const BOOKINGS = {
  eval_set_id: 'bookings',
  eval_cases: [
    caseOf('lists the bookings', 'List the bookings', { name: 'list_bookings', args: {} }),
    caseOf('cancels one', 'Cancel booking B-17', { name: 'cancel_booking', args: { bookingId: 'B-17' } }),
    caseOf('cancels one by its guest', 'Cancel the booking of Ada', {
      name: 'cancel_booking',
      args: { bookingId: 'B-17' },
    }),
  ],
};

describe('the picture of a terminal shows what is printed by', () => {
  let folder: string;

  beforeEach(async () => {
    await mkdir('packages/docs/build', { recursive: true });
    // Inside of the repository, from where the packages of Adorn are found.
    folder = await mkdtemp(resolve('packages/docs/build/terminal-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('adorn run, in which a person rejects one call and approves another', async () => {
    await begin('service');
    await write('demo.txt', 'Cancel booking B-17\nn, Ada comes tomorrow\nCancel booking B-18\ny\n');

    await expectTerminal('run', ['src/reception.agent.ts', '--script', 'demo.txt']);
  });

  it('adorn check, for the program of its page', async () => {
    await begin('minimal');
    await rm(join(folder, 'src'), { recursive: true });
    await cp(CHECKED, join(folder, 'src/desk.agent.ts'));

    await expectTerminal('check');
  });

  it('adorn explain, for one tool', async () => {
    await begin('minimal');

    await expectTerminal('explain', ['src/hello.agent.ts', 'Roll a die with 20 sides']);
  });

  it('adorn eval, for a case that fails', async () => {
    await begin('service');
    await write('evals/bookings.evalset.json', JSON.stringify(BOOKINGS));

    const files = ['src/reception.agent.ts', 'evals/bookings.evalset.json'];
    await expectTerminal('eval', [...files, '--approve', '--concurrency', '1']);
  });

  function begin(template: string): Promise<void> {
    return cp(`${TEMPLATES}/${template}`, folder, { recursive: true });
  }

  async function write(name: string, content: string): Promise<void> {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }

  async function expectTerminal(name: string, args: readonly string[] = []): Promise<void> {
    const child = spawn(process.execPath, [BIN, name, ...args], {
      cwd: folder,
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const output = withoutTimes(await text(child.stdout));
    const command = ['adorn', name, ...args].map(typed).join(' ');
    await expectKeptPicture(`terminal/${name}.svg`, drawTerminal(command, `$ npx ${command}\n\n${output}`));
  }
});

/** As a person types it in a shell. */
function typed(word: string): string {
  return word.includes(' ') ? `"${word}"` : word;
}

function caseOf(evalId: string, message: string, call: object) {
  const turn = { user_content: { role: 'user', parts: [{ text: message }] } };
  return { eval_id: evalId, conversation: [{ ...turn, intermediate_data: { tool_uses: [call] } }] };
}

/** What a call took differs each time. */
function withoutTimes(output: string): string {
  return output.replaceAll(/\b\d+ ms\b/g, '3 ms');
}
