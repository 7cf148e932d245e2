import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { listSkills, readSkill, SkillInvalidError, SkillOptionError, writeSkillLock } from './index.js';
import { SkillFolders, skillText } from './skills.fixture.js';

const folders = new SkillFolders();

describe('a folder of skills', () => {
  it('lists its skills in the order of their names, without their instructions', () => {
    const folder = folders.write({
      'tables/SKILL.md': skillText('tables', {
        more: 'license: MIT\nmetadata: { author: ada }\nallowed-tools: "Bash(git:*) Read"\n',
      }),
      'forms/SKILL.md': skillText('forms', {
        description: 'Fill in forms.',
        more: 'compatibility: needs python\n',
      }),
      'notes.txt': 'no skill',
      'empty/readme.md': 'no skill',
    });

    expect(listSkills([folder])).toEqual([
      {
        folder: join(folder, 'forms'),
        frontMatter: { name: 'forms', description: 'Fill in forms.', compatibility: 'needs python' },
        pin: undefined,
      },
      {
        folder: join(folder, 'tables'),
        frontMatter: {
          name: 'tables',
          description: 'What tables is for.',
          license: 'MIT',
          metadata: { author: 'ada' },
          allowedTools: ['Bash(git:*)', 'Read'],
        },
        pin: undefined,
      },
    ]);
  });

  it('is a skill itself if it has a SKILL.md', () => {
    const folder = folders.write({
      'forms/SKILL.md': skillText('forms'),
      'forms/inner/SKILL.md': skillText('inner'),
    });

    expect(listSkills([join(folder, 'forms')]).map(({ frontMatter }) => frontMatter.name)).toEqual(['forms']);
  });

  it.each([
    ['no folder', () => ['/nowhere/skills'], 'there is no folder "/nowhere/skills"'],
    ['no skill', () => [folders.write({ 'a.txt': '' })], 'there is no skill in'],
    [
      'two of the same name',
      () => [
        folders.write({ 'forms/SKILL.md': skillText('forms') }),
        folders.write({ 'forms/SKILL.md': skillText('forms') }),
      ],
      'two skills are called "forms"',
    ],
    [
      'a damaged lock',
      () => [folders.write({ 'forms/SKILL.md': skillText('forms'), 'skills.lock.json': '{' })],
      'cannot be read',
    ],
    [
      'a lock without digests',
      () => [folders.write({ 'forms/SKILL.md': skillText('forms'), 'skills.lock.json': '{"skills":[1]}' })],
      'has no digests of skills',
    ],
  ])('refuses %s', (_what, source, fault) => {
    expect(() => listSkills(source())).toThrow(SkillOptionError);
    expect(() => listSkills(source())).toThrow(fault);
  });

  it.each([
    ['no front matter', '# Forms', 'does not begin with front matter'],
    ['front matter without an end', '---\nname: forms\n', 'does not begin with front matter'],
    ['what is no YAML', '---\nname: [\n---\n', 'is no YAML with fields'],
    ['a list as front matter', '---\n- forms\n---\n', 'no list of fields'],
    ['no name', '---\ndescription: x\n---\n', 'its name is absent'],
    ['a name with a path', '---\nname: ../forms\ndescription: x\n---\n', 'its name is "../forms"'],
    ['a name with capitals', '---\nname: Forms\ndescription: x\n---\n', 'its name is "Forms"'],
    ['a long name', `---\nname: ${'f'.repeat(65)}\ndescription: x\n---\n`, 'its name is "fff'],
    [
      'another name than its folder',
      '---\nname: tables\ndescription: x\n---\n',
      'its name is "tables". Give the folder',
    ],
    ['no description', '---\nname: forms\n---\n', 'it has no description'],
    ['an empty description', '---\nname: forms\ndescription: " "\n---\n', 'it has no description'],
    [
      'a long description',
      `---\nname: forms\ndescription: ${'x'.repeat(4097)}\n---\n`,
      'has 4097 characters',
    ],
    [
      'a long compatibility',
      `---\nname: forms\ndescription: x\ncompatibility: ${'x'.repeat(501)}\n---\n`,
      'its compatibility',
    ],
    [
      'aliases that grow without end',
      `---\nname: forms\ndescription: x\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n---\n`,
      'cannot be used',
    ],
  ])('refuses %s', (_what, text, fault) => {
    const folder = folders.write({ 'forms/SKILL.md': text });

    expect(() => listSkills([folder])).toThrow(SkillInvalidError);
    expect(() => listSkills([folder])).toThrow(fault);
  });

  it.each([
    [
      'Windows line ends and a byte order mark',
      `\uFEFF---\r\nname: forms\r\ndescription: x\r\n---\r\nDo it.\r\n`,
    ],
    ['no text behind the front matter', '---\nname: forms\ndescription: x\n---'],
    ['fields that nobody knows', '---\nname: forms\ndescription: x\nversion: 2\ntriggers: [a]\n---\nDo it.'],
  ])('takes %s', (_what, text) => {
    expect(listSkills([folders.write({ 'forms/SKILL.md': text })])).toHaveLength(1);
  });
});

describe('a skill', () => {
  it('is read with all of its files, and its digest changes with each of them', async () => {
    const folder = folders.write({
      'forms/SKILL.md': skillText('forms'),
      'forms/references/fields.md': 'fields',
      'forms/scripts/fill.py': 'print(1)',
    });
    const read = () => readSkill(join(folder, 'forms'));
    const first = await read();

    expect([...first.files.keys()]).toEqual(['references/fields.md', 'scripts/fill.py']);
    expect(first.body).toBe('# forms\n\nHow to do forms.');
    expect((await read()).digest).toBe(first.digest);

    const digests = [first.digest];
    for (const [path, text] of [
      ['forms/scripts/fill.py', 'print(2)'],
      ['forms/SKILL.md', skillText('forms', { body: 'Otherwise.' })],
      ['forms/new.md', ''],
    ] as const) {
      folders.add(folder, { [path]: text });
      digests.push((await read()).digest);
    }
    expect(new Set(digests).size).toBe(4);
  });

  it('refuses a link that leads outside, and follows one that does not', async () => {
    const folder = folders.write({
      'forms/SKILL.md': skillText('forms'),
      'forms/a.md': 'a',
      'secret.txt': 'secret',
    });
    symlinkSync(join(folder, 'forms/a.md'), join(folder, 'forms/b.md'));

    expect([...(await readSkill(join(folder, 'forms'))).files.keys()]).toEqual(['a.md', 'b.md']);

    symlinkSync(join(folder, 'secret.txt'), join(folder, 'forms/c.md'));
    await expect(readSkill(join(folder, 'forms'))).rejects.toThrow(
      '"c.md" is a link to a place outside of it',
    );
  });

  it('refuses a folder without SKILL.md, and one with too many files', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2_001 }, (_, index) => [`forms/${String(index)}.md`, '']),
    );
    const folder = folders.write({ 'forms/SKILL.md': skillText('forms'), ...many, 'other/a.md': '' });

    await expect(readSkill(join(folder, 'forms'))).rejects.toThrow('more than 2000 files');
    await expect(readSkill(join(folder, 'other'))).rejects.toThrow('it has no SKILL.md');
  });

  it('is accepted by a lock, which knows what was added or changed since', async () => {
    const folder = folders.write({ 'forms/SKILL.md': skillText('forms') });
    const skill = await readSkill(join(folder, 'forms'));
    await writeSkillLock(folder, [skill]);
    folders.add(folder, { 'tables/SKILL.md': skillText('tables') });

    expect(listSkills([folder]).map(({ pin }) => pin)).toEqual([skill.digest, null]);
  });
});
