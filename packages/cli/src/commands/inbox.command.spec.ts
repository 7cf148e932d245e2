import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const APP = `
import { appendFileSync } from 'node:fs';
import { createRunner, defineAgent, FunctionTool } from 'adorn';
import { sqlStorage } from '@adorn/storage';
const refund = new FunctionTool({
  name: 'refund',
  description: 'Refunds.',
  approvers: { role: 'manager', count: 2 },
  parameters: { type: 'object', properties: { cents: { type: 'number' } }, required: ['cents'] },
  run: ({ cents }) => appendFileSync('refunds.txt', cents + ' '),
});
const desk = defineAgent({ name: 'desk', model: null, tools: [refund] });
export default desk;
if (process.argv[2] === 'ask') {
  const runner = await createRunner(desk, { modules: [sqlStorage('chats.db')] });
  for (const userId of ['ada', 'bob'])
    await runner.call({ tool: 'refund', args: { cents: 900 }, userId, sessionId: 's1', by: { id: userId } });
  await runner.close();
}
`;

describe('adorn inbox', () => {
  let folder: string;
  beforeEach(async () => {
    await mkdir('packages/cli/build', { recursive: true });
    // Inside of this package, from where the packages of Adorn are found.
    folder = await mkdtemp(resolve('packages/cli/build/inbox-'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'app.js'), APP);
    await writeFile(join(folder, 'refunds.txt'), '');
    await played('app.js', 'ask');
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function played(...args: string[]) {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await ended;
    return { output, errors, code: child.exitCode };
  }

  function adorn(...args: string[]) {
    const bin = resolve('packages/cli/bin/adorn.js');
    return played(bin, 'inbox', 'app.js', '--store', 'chats.db', ...args);
  }

  it('lists what waits in all conversations, or for one person, and two managers approve it', async () => {
    const { output } = await adorn();
    expect(output).toMatch(/ {2}ada\/s1 {2}confirmation of refund {"cents":900} .* 0 of 2 have approved\n/);
    expect(output).toMatch(/\n2 waiting\n$/);
    expect((await adorn('--for', 'ada')).output).toBe('0 waiting\n');
    const mias = await adorn('--for', 'mia', '--role', 'manager', '--json');
    const [line = ''] = mias.output.split('\n');
    const { id } = JSON.parse(line) as { id: string };

    const first = await adorn('--approve', id, '--by', 'mia', '--role', 'manager');
    expect(first.output).toBe(`${id} approved by mia: paused\n`);
    expect((await adorn()).output).toContain('1 of 2 have approved');
    const second = await adorn('--approve', id, '--by', 'max', '--role', 'manager');
    expect(second.output).toContain(`${id} approved by max`);
    expect((await adorn()).output).toMatch(/\n1 waiting\n$/);
    expect(await readFile(join(folder, 'refunds.txt'), 'utf8')).toBe('900 ');
  }, 60_000);

  it('rejects, and changes nothing for somebody who may not answer', async () => {
    const [line = ''] = (await adorn('--json')).output.split('\n');
    const { id } = JSON.parse(line) as { id: string };

    const refused = await adorn('--reject', id, '--by', 'eve', '--role', 'clerk');
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('may not answer')]);
    expect((await adorn()).output).toMatch(/\n2 waiting\n$/);
    const rejected = await adorn('--reject', id, '--by', 'mia', '--role', 'manager', '--reason', 'Not now.');
    expect(rejected.output).toContain(`${id} rejected by mia`);
    expect((await adorn()).output).toMatch(/\n1 waiting\n$/);
  }, 60_000);

  it('says what to type', async () => {
    const said = async (...args: string[]) => (await adorn(...args)).errors;

    expect(await said('--approve', 'x')).toContain('Pass --by');
    expect(await said('--approve', 'x', '--reject', 'y', '--by', 'mia')).toContain('Pass one of them');
    expect(await said('--role', 'manager')).toContain('Pass --for or --by');
    expect(await said('--approve', 'x', '--by', 'mia')).toContain('No request with the id x waits');
  }, 60_000);
});
