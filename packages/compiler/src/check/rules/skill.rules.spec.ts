import { TemporaryProject } from '../../fixtures/temporary-project.js';
import { checkProject } from '../check-project.js';
import type { FoundSkill, SkillReader } from '../skills/found-skills.js';

const IMPORTS = "import { skills } from '@adorn/skills';\n";

/** A reader that finds one skill, `forms`, in every folder. */
function readerOf(
  {
    body = 'Do it.',
    description = 'Fill in forms.',
    files = [],
    state = 'open',
  }: {
    body?: string;
    description?: string;
    files?: readonly string[];
    state?: FoundSkill['state'];
  } = {},
  ...faults: Error[]
): SkillReader {
  return (folders) =>
    Promise.resolve({
      faults,
      skills: folders.map((folder) => ({
        folder: `${folder}/forms`,
        state,
        skill: {
          frontMatter: { name: 'forms', description },
          body,
          files: new Map(files.map((path) => [path, ''])),
        },
      })),
    });
}

describe('skills in a check', () => {
  const project = new TemporaryProject();

  beforeAll(() => {
    project.write('skills/forms/SKILL.md', '');
  });

  afterAll(() => {
    project.remove();
  });

  /** What is found in a source with skills, each as `rule line message`. */
  async function findingsIn(source: string, readSkills?: SkillReader): Promise<string[]> {
    project.write('src/agent.ts', IMPORTS + source);
    const { diagnostics } = await checkProject({ project: project.root, ...(readSkills && { readSkills }) });
    return diagnostics.map(({ rule, line, message }) => `${rule} ${String(line)} ${message}`);
  }

  it.each([
    ['a path from the project', "skills('./skills');"],
    ['a list', "skills(['./skills']);"],
    ['a constant', "const FOLDER = './skills';\nskills(FOLDER);"],
    ['a URL', "skills(new URL('../skills', import.meta.url));"],
    ['a URL in a constant', "const FOLDER = new URL('../skills', import.meta.url);\nskills(FOLDER);"],
  ])('are read from %s', async (_what, source) => {
    const read: string[][] = [];
    await findingsIn(source, (folders) => {
      read.push([...folders]);
      return Promise.resolve({ skills: [], faults: [] });
    });

    expect(read).toEqual([[project.path('skills')]]);
  });

  it.each([
    ['of another package', "import { skills as others } from './others.js';\nothers('./nowhere');"],
    ['known only at run time', 'declare const folder: string;\nskills(folder);'],
    ['that is a URL of another place', "skills(new URL('./nowhere', 'https://example.com'));"],
  ])('are passed over %s', async (_what, source) => {
    project.write('src/others.ts', 'export function skills(folder: string): string { return folder; }');

    expect(await findingsIn(source, readerOf())).toEqual([]);
  });

  it('are passed over if nothing reads them', async () => {
    expect(await findingsIn("skills('./nowhere');")).toEqual([]);
  });

  it.each(["skills('./nowhere');", "skills(new URL('./nowhere', import.meta.url));"])(
    'are missed where there is no folder: %s',
    async (source) => {
      expect(await findingsIn(source, readerOf())).toEqual([
        'skill-folder-missing 2 There is no folder "./nowhere".',
      ]);
    },
  );

  it('are refused as the toolset refuses them', async () => {
    expect(await findingsIn("skills('./skills');", readerOf({}, new Error('Its name is wrong.')))).toEqual([
      'skill-refused 2 Its name is wrong.',
    ]);
  });

  it.each([
    ['changed', 'changed'],
    ['added', 'added'],
  ] as const)('that were %s are told', async (state, verb) => {
    expect(await findingsIn("skills('./skills');", readerOf({ state }))).toEqual([
      `skill-changed 2 The skill forms was ${verb} since its folder was accepted: a person is asked before it is opened.`,
    ]);
  });

  it.each([
    ['accepted', readerOf({ state: 'accepted' })],
    [
      'with all that they name',
      readerOf({ body: 'Read [it](./a/b.md#top) and `scripts/x.py`.', files: ['a/b.md', 'scripts/x.py'] }),
    ],
    [
      'that name a folder',
      readerOf({ body: 'See [all](references/) and [here](./).', files: ['references/a.md'] }),
    ],
    [
      'that name addresses',
      readerOf({ body: '[a](https://a.com/b.md) [b](#top) [c](/etc/x.md) [d](mailto:a@b.c)' }),
    ],
    [
      'with places to fill in',
      readerOf({ body: 'Write scripts/<name>.py, scripts/*.sh and assets/{id}.png.' }),
    ],
    [
      'with paths of others',
      readerOf({ body: 'Your src/scripts/build.sh, $ROOT/scripts/x.sh and ~/assets/a.png.' }),
    ],
    ['with links in examples', readerOf({ body: 'It prints:\n\n```\n[page](out/page.yml)\n```\n' })],
  ])('%s are left alone', async (_what, reader) => {
    const source = "declare const executor: object;\nskills('./skills', { executor });";

    expect(await findingsIn(source, reader)).toEqual([]);
  });

  it.each([
    ['a path', 'Run scripts/x.py.', '"scripts/x.py"'],
    ['a path in an example', '```sh\npython ./scripts/x.py --all\n```', '"scripts/x.py"'],
    ['a link', 'Read [it](forms.md).', '"forms.md"'],
    ['a link that leads outside', 'Read [it](../../secret.txt).', '"../../secret.txt"'],
    [
      'many paths',
      Array.from({ length: 500 }, (_, index) => `[x](${String(index)}.md)`).join(' '),
      '"0.md", "1.md", "2.md" and 497 more',
    ],
  ])('miss a file that is named by %s', async (_what, body, named) => {
    expect(await findingsIn("skills('./skills');", readerOf({ body }))).toEqual([
      `skill-file-missing 2 The skill forms names what it does not have: ${named}.`,
    ]);
  });

  it.each([
    ['no executor', "skills('./skills');", ['"scripts/a.py", "scripts/b.sh"']],
    ['other options', "skills('./skills', { effect: 'read' });", ['"scripts/a.py", "scripts/b.sh"']],
    ['an executor', "declare const executor: object;\nskills('./skills', { executor });", []],
    ['options of a run', "declare const options: object;\nskills('./skills', options);", []],
  ])('have scripts, and with %s they are told or not', async (_what, source, named) => {
    const reader = readerOf({ files: ['scripts/a.py', 'scripts/b.sh', 'scripts/c.js', 'other/d.py'] });

    expect(await findingsIn(source, reader)).toEqual(
      named.map((names) => `skill-script 2 The skill forms has scripts that nothing runs: ${names}.`),
    );
  });

  it('are large', async () => {
    const large = readerOf({ body: 'x'.repeat(22_600), description: 'x'.repeat(1_025) });

    expect(await findingsIn("skills('./skills');", large)).toEqual([
      'large-skill 2 The instructions of the skill forms take some 5023 tokens, of which the model reads all.',
      'large-skill 2 The description of the skill forms has 1025 characters, which every request sends; the format has at most 1024.',
    ]);
    expect(await findingsIn("skills('./skills');", readerOf({ body: 'x'.repeat(22_400) }))).toEqual([]);
  });

  it('are silenced where they are named', async () => {
    const source =
      "// adorn-ignore skill-script: they are read only\nexport const shelf = skills('./skills');";

    expect(await findingsIn(source, readerOf({ files: ['scripts/a.py'] }))).toEqual([]);
  });

  it.each(['](', 'scripts/', 'scripts/a.', '```\n', '](a', 'scripts/a/'])(
    'are read to their end if they repeat %j without end',
    async (text) => {
      const reader = readerOf({ body: text.repeat(100_000) });

      expect(await findingsIn("skills('./skills');", reader)).toContainEqual(
        expect.stringContaining('large-skill'),
      );
    },
  );

  it('have their sizes, once for each place', async () => {
    project.write('src/agent.ts', `${IMPORTS}skills('./skills');`);
    const { skills } = await checkProject({ project: project.root, readSkills: readerOf() });

    expect(skills).toEqual([
      { name: 'forms', file: project.path('src/agent.ts'), line: 2, tokens: 5, tokensOpened: 2 },
    ]);
  });
});
