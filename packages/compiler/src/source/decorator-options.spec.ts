import { checkProject } from '../check/check-project.js';
import { buildSchemas } from '../emit/build-schemas.js';
import { TemporaryProject, TSCONFIG } from '../fixtures/temporary-project.js';
import { WatchedRounds } from '../fixtures/watched-rounds.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

const ORDERS = `import { agent, tool } from 'adorn';
export class Orders { @tool find(id: string): string { return id; } }`;

const FUNCTIONS = `import { defineTool } from 'adorn';
/** Find an order. @param id Its number. */
function findOrder(id: string): string { return id; }
export const find = defineTool(findOrder);`;

describe('a tsconfig without experimentalDecorators', () => {
  const { experimentalDecorators: _, ...compilerOptions } = TSCONFIG.compilerOptions;
  const bare = { ...TSCONFIG, compilerOptions };
  const projects: TemporaryProject[] = [];
  afterEach(() =>
    projects.splice(0).forEach((project) => {
      project.remove();
    }),
  );

  function open(source: string, tsconfig: object = bare): TemporaryProject {
    const project = new TemporaryProject(tsconfig);
    projects.push(project);
    project.write('src/main.ts', source);
    return project;
  }

  function messageOf(project: TemporaryProject): string {
    return (
      `${project.path('tsconfig.json')} does not set "experimentalDecorators", and the project uses decorators ` +
      `(${project.path('src/main.ts')}:2). Set "experimentalDecorators": true in its "compilerOptions", and compile again.`
    );
  }

  it(
    'is the first that adorn check tells of a project with decorators',
    async () => {
      const project = open(ORDERS);

      const { diagnostics } = await checkProject({ project: project.root });

      expect(diagnostics[0]).toEqual({
        rule: 'experimental-decorators',
        severity: 'error',
        file: project.path('tsconfig.json'),
        line: 1,
        message: messageOf(project),
        cure: '',
        code: 'EXPERIMENTAL_DECORATORS_MISSING',
      });
    },
    SLOW,
  );

  it(
    'is all that adorn build tells of it, before the emitted files are read',
    async () => {
      const project = open(ORDERS);

      await expect(buildSchemas({ project: project.root })).rejects.toMatchObject({
        code: 'EXPERIMENTAL_DECORATORS_MISSING',
        message: messageOf(project),
      });
    },
    SLOW,
  );

  it(
    'is told while watching, until it is mended',
    async () => {
      const project = open('export {};');
      const rounds = new WatchedRounds({ project: project.root });
      try {
        await rounds.next();
        project.write('src/main.ts', ORDERS);

        const [fault] = (await rounds.next()).faults;
        expect(fault).toMatchObject({ message: messageOf(project) });

        project.write('build/main.js', 'export {};');
        project.write('tsconfig.json', JSON.stringify(TSCONFIG));
        const [next] = (await rounds.next()).faults;
        expect(next?.message).not.toBe(messageOf(project));
      } finally {
        await rounds.stop();
      }
    },
    SLOW,
  );

  it(
    'is no fault where nothing is decorated, nor where it inherits the option',
    async () => {
      const functions = open(FUNCTIONS);
      const inherits = open(ORDERS, { extends: './base.json', include: ['src'] });
      inherits.write('base.json', JSON.stringify({ compilerOptions: TSCONFIG.compilerOptions }));

      const reports = await Promise.all(
        [functions, inherits].map(({ root }) => checkProject({ project: root })),
      );

      expect(
        reports.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === 'error')),
      ).toEqual([]);
    },
    SLOW,
  );
});
