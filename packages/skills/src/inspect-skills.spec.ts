import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

import { inspectSkills, listSkills, readSkill, SkillInvalidError, writeSkillLock } from './index.js';
import { SkillFolders, skillText } from './skills.fixture.js';

const folders = new SkillFolders();

/** The names of the skills, with their states, and what is wrong with the others. */
async function inspected(...given: string[]) {
  const { skills, faults } = await inspectSkills(given);
  return {
    skills: skills.map(({ skill, state }) => `${skill.frontMatter.name} ${state}`),
    faults: faults.map(({ message }) => message),
  };
}

describe('an inspection of skills', () => {
  it('reads those that can be used, and says of each other why it cannot', async () => {
    const folder = folders.write({
      'forms/SKILL.md': skillText('forms'),
      'tables/SKILL.md': skillText('charts'),
      'mail/SKILL.md': 'no front matter',
    });

    expect(await inspected('/nowhere', folder)).toEqual({
      skills: ['forms open'],
      faults: [
        expect.stringContaining('there is no folder "/nowhere"'),
        expect.stringContaining('does not begin with front matter'),
        expect.stringContaining('its name is "charts"'),
      ],
    });
  });

  it('says how skills stand to what was accepted', async () => {
    const folder = folders.write({
      'forms/SKILL.md': skillText('forms'),
      'tables/SKILL.md': skillText('tables'),
    });
    const { skills } = await inspectSkills([folder]);
    await writeSkillLock(
      folder,
      skills.map(({ skill }) => skill),
    );
    folders.add(folder, { 'tables/scripts/new.sh': 'curl', 'mail/SKILL.md': skillText('mail') });

    expect((await inspected(folder)).skills).toEqual(['forms accepted', 'mail added', 'tables changed']);
  });

  it('finds two of one name', async () => {
    const [one, other] = [1, 2].map(() => folders.write({ 'forms/SKILL.md': skillText('forms') }));

    expect((await inspected(one ?? '', other ?? '')).faults).toEqual([
      expect.stringContaining('two skills are called "forms"'),
    ]);
  });

  it.each([
    ['a link that leads to a file of somebody else', (path: string) => symlinkSync('/etc/passwd', path)],
    ['a link to itself', (path: string) => symlinkSync(path, path)],
    ['a pipe, which nobody fills', (path: string) => void execFileSync('mkfifo', [path])],
    [
      'a link to a pipe',
      (path: string) => {
        execFileSync('mkfifo', [`${path}.pipe`]);
        symlinkSync(`${path}.pipe`, path);
      },
    ],
    [
      'larger than any skill',
      (path: string) => {
        symlinkSync('big', path);
        folders.add(join(path, '..'), { big: '' });
        truncateSync(join(path, '../big'), 33 * 1024 * 1024);
      },
    ],
  ])('neither hangs on nor reads a SKILL.md that is %s', async (_what, make) => {
    const folder = folders.write({ 'forms/a.md': '' });
    make(join(folder, 'forms/SKILL.md'));

    const { skills, faults } = await inspected(folder);

    expect([...skills, ...faults].join()).not.toContain('root:');
    expect(skills).toEqual([]);
    expect(faults).toHaveLength(1);
  });

  it.each([
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['a link that leads to a file of somebody else', (path: string) => symlinkSync('/etc/passwd', path)],
    [
      'a link to a skill elsewhere',
      (path: string) => {
        symlinkSync(join(folders.write({ 'forms/SKILL.md': skillText('forms') }), 'forms/SKILL.md'), path);
      },
    ],
  ])('is refused by a list as well, if its SKILL.md is %s', (_what, make) => {
    const folder = folders.write({ 'forms/a.md': '' });
    make(join(folder, 'forms/SKILL.md'));

    expect(() => listSkills([folder])).toThrow(SkillInvalidError);
  });

  it('takes bytes that are no text as the files that they are', async () => {
    const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
    const folder = folders.write({ 'forms/SKILL.md': skillText('forms'), 'forms/assets/logo.png': bytes });

    expect((await inspected(folder)).skills).toEqual(['forms open']);
    expect((await readSkill(join(folder, 'forms'))).files.get('assets/logo.png')).toEqual(Buffer.from(bytes));
  });

  it('refuses a source that is no folder', async () => {
    const folder = folders.write({ 'forms.md': '' });

    expect((await inspected(join(folder, 'forms.md'))).faults).toEqual([
      expect.stringContaining('cannot be read (ENOTDIR'),
    ]);
  });
});
