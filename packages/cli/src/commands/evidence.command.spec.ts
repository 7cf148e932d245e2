import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const APP = `
import { says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent } from 'adorn';
export const runner = await createRunner(defineAgent({ name: 'desk', model: new ScriptedModel(says('Hi.')) }));
await runner.ask('Hello.', { userId: 'ada', sessionId: 's1' });
`;

describe('adorn evidence', () => {
  let folder: string;
  beforeEach(async () => {
    await mkdir('packages/cli/build', { recursive: true });
    // Inside of this package, from where the packages of Adorn are found.
    folder = await mkdtemp(resolve('packages/cli/build/evidence-'));
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'app.js'), APP);
    await writeFile(join(folder, 'private.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await writeFile(join(folder, 'public.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function adorn(...args: string[]) {
    const child = spawn(process.execPath, [resolve('packages/cli/bin/adorn.js'), 'evidence', ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((done) => child.once('exit', done));
    const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { output, errors, code };
  }

  it('exports rows, signed, and finds nothing in them, or the first fault and its line', async () => {
    const file = join(folder, 'out.ndjson');
    expect(
      await adorn('export', 'app.js', '--user', 'ada', '--key', 'private.pem', '--out', file),
    ).toMatchObject({ code: 0 });

    const intact = await adorn('verify', file, '--public-key', 'public.pem');
    expect(intact.code).toBe(0);
    expect(intact.output).toMatch(/^intact: 2 rows\ndigest [\w-]{43}\nsigned by this key\n$/);
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, lines.toSpliced(1, 1).join('\n'));
    expect(await adorn('verify', file)).toEqual({
      code: 1,
      output: 'removed: Line 2: row 1 is missing before it.\n',
      errors: '',
    });
  });

  it('writes to the output, without contents if it is told so', async () => {
    const { output, code } = await adorn('export', 'app.js', '--no-contents', '--since', '2020-01-01');

    expect(code).toBe(0);
    expect(output.trimEnd().split('\n')).toHaveLength(4);
    expect(output).not.toContain('Hello.');
  });

  it('says by its exit code that it could not look', async () => {
    expect(await adorn('verify', 'none.ndjson')).toMatchObject({ code: 2 });
    expect(await adorn('verify', 'app.js', '--public-key', 'app.js')).toMatchObject({ code: 2 });
    expect((await adorn('export', 'app.js', '--since', 'soon')).errors).toContain(
      '--since "soon" is no time',
    );
  });
});
