import { Project } from './project.fixture.js';

const APP = `
import { defineAgent } from 'adorn';
export default defineAgent({ name: 'desk', model: null });
`;

const BADLY_WIRED = `
import { defineAgent } from 'adorn';
class Plain {}
export default defineAgent({ name: 'desk', model: null, tools: [Plain] });
`;

interface Found {
  readonly about: string;
  readonly status: string;
  readonly text: string;
  readonly cure?: string;
}

describe('adorn doctor', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.create(
      { 'app.js': APP, 'wired.js': BADLY_WIRED },
      { GEMINI_API_KEY: '', GOOGLE_API_KEY: '', OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '' },
    );
  });
  afterEach(() => project.remove());

  async function doctor(...args: string[]) {
    const { output, code } = await project.adornInTurn('doctor', '--json', ...args);
    const findings = JSON.parse(output) as Found[];
    return { code, of: (about: string) => findings.find((one) => one.about === about) };
  }

  it('finds nothing wrong with an application that works', async () => {
    const { output, code } = await project.adorn('doctor', 'app.js', '--store', 'new.db');

    expect(code).toBe(0);
    expect(output).toMatch(/^fine {5}Node +\d+\.\d+\.\d+, adorn 0\.\d+\.\d+$/m);
    expect(output).toMatch(/^fine {5}application +desk is wired$/m);
    expect(output).toMatch(/^note {5}store +there is no new\.db yet/m);
    expect(output).toMatch(/^note {5}model +offline/m);
  });

  it('names packages of different versions, and how they become one', async () => {
    await project.write('node_modules/adorn/package.json', '{"name":"adorn","version":"9.9.9"}');
    await project.write('node_modules/@adorn/core/package.json', '{"name":"@adorn/core","version":"9.8.0"}');
    const { code, of } = await doctor();

    expect(code).toBe(1);
    expect(of('packages')).toMatchObject({
      status: 'fault',
      text: expect.stringContaining('@adorn/core 9.8.0') as string,
    });
    expect(of('packages')?.cure).toContain('@adorn/core@9.9.9');
  });

  it('looks for the options that decorators need, also in a file that is extended', async () => {
    await project.write('tsconfig.json', '{ "extends": "./base.json" }');
    await project.write('base.json', '{ "compilerOptions": { "experimentalDecorators": false } }');
    expect((await doctor()).of('tsconfig.json')).toMatchObject({ status: 'fault' });

    await project.write('base.json', '{ "compilerOptions": { "experimentalDecorators": true, // yes\n } }');
    expect((await doctor()).of('tsconfig.json')).toMatchObject({ status: 'warning' });

    await project.write('tsconfig.json', '{ what');
    expect((await doctor()).of('tsconfig')).toMatchObject({ status: 'fault' });
  });

  it('tells of migrations that are due, and of a store that is none', async () => {
    await project.write('text.db', 'This is no database, but a text of some length.\n'.repeat(99));
    await project.node('-e', "require('node:fs').writeFileSync('empty.db', '')");

    expect((await doctor('--store', 'empty.db')).of('store')).toMatchObject({
      status: 'fault',
      cure: 'adorn migrate empty.db',
    });
    expect((await doctor('--store', 'text.db')).of('store')?.text).toContain('NOT_A_DATABASE');
    expect((await doctor('--store', 'mysql://x/y')).of('store')?.text).toContain('STORAGE_URL_INVALID');
  });

  it('prints no key, but that one was copied with quotes', async () => {
    const { output } = await project.node(
      '-e',
      `process.env.GEMINI_API_KEY = '"secret-key"';
       const { status } = require('node:child_process').spawnSync(process.execPath, ${JSON.stringify([
         'BIN',
         'doctor',
       ])}.map((word) => word.replace('BIN', ${JSON.stringify(process.cwd())} + '/packages/cli/bin/adorn.js')), { stdio: 'inherit' });
       console.log(status);`,
    );

    expect(output).toMatch(/^fault {4}GEMINI_API_KEY +it has spaces, line breaks or quotes/m);
    expect(output).not.toContain('secret-key');
    expect(output.trimEnd().endsWith('1')).toBe(true);
  });

  it('tells why an application cannot be wired', async () => {
    expect((await doctor('wired.js')).of('application')).toMatchObject({
      status: 'fault',
      text: expect.stringContaining('Plain, which has no @tool methods') as string,
    });
  });
});
