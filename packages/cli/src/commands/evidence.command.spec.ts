import { generateKeyPairSync } from 'node:crypto';

import { Project } from './project.fixture.js';

const APP = `
import { says, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent } from 'adorn';
export const runner = await createRunner(defineAgent({ name: 'desk', model: new ScriptedModel(says('Hi.')) }));
await runner.ask('Hello.', { userId: 'ada', sessionId: 's1' });
`;

describe('adorn evidence', () => {
  let project: Project;
  beforeAll(async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    project = await Project.create({
      'app.js': APP,
      'private.pem': String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      'public.pem': String(publicKey.export({ type: 'spki', format: 'pem' })),
    });
  });
  afterAll(() => project.remove());

  const adorn = (...args: string[]) => project.adornInTurn('evidence', ...args);

  it('exports rows, signed, and finds nothing in them, or the first fault and its line', async () => {
    const file = 'out.ndjson';
    expect(
      await adorn('export', 'app.js', '--user', 'ada', '--key', 'private.pem', '--out', file),
    ).toMatchObject({ code: 0 });

    const intact = await adorn('verify', file, '--public-key', 'public.pem');
    expect(intact.code).toBe(0);
    expect(intact.output).toMatch(/^intact: 2 rows\ndigest [\w-]{43}\nsigned by this key\n$/);
    const lines = (await project.read(file)).split('\n');
    await project.write(file, lines.toSpliced(1, 1).join('\n'));
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
      '--since is "soon". Pass a time such as',
    );
  });
});
