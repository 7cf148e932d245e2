import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createProgram } from '../program.js';
import { printedBy } from './project.fixture.js';
import { skillsCommand } from './skills.command.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skills-'));
  write('forms', 'Fill in forms.');
});

afterEach(() => {
  process.exitCode = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, description: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(
    join(folder, name, 'SKILL.md'),
    `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`,
  );
}

/** What the command prints, and its exit code. */
async function skills(...args: string[]) {
  process.exitCode = undefined;
  const text = await printedBy(skillsCommand, [folder, ...args]);
  return { text, code: process.exitCode };
}

describe('adorn skills', () => {
  it('lists skills with what they cost, and says that nobody has accepted them', async () => {
    expect(await skills()).toEqual({
      text:
        'forms  open\n  Fill in forms.\n  about 2 tokens when it is opened, 0 files\n' +
        '1 skills: about 5 tokens in each request\n' +
        'Nobody is asked when one of them changes: adorn skills <folder> --pin accepts them as they are.\n',
      code: undefined,
    });
  });

  it('accepts skills as they are, and then finds what was changed or added', async () => {
    expect((await skills('--pin')).text).toBe(`accepted 1 skills in ${join(folder, 'skills.lock.json')}\n`);
    expect(await skills('--json')).toMatchObject({
      code: undefined,
      text: expect.stringContaining('"accepted"') as string,
    });

    write('forms', 'Otherwise.');
    write('tables', 'New.');
    const { text, code } = await skills();

    expect(text).toContain('forms  changed');
    expect(text).toContain('tables  added');
    expect(code).toBe(1);
  });

  it('is a command of the program', () => {
    expect(createProgram({ version: '1', bin: '' }).commands.map((command) => command.name())).toContain(
      'skills',
    );
  });
});
