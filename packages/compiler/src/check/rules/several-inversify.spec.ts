import { TemporaryProject } from '../../fixtures/temporary-project.js';
import { checkProject } from '../check-project.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

describe('several-inversify', () => {
  it(
    'finds a second copy of inversify, and says where both are',
    async () => {
      const project = new TemporaryProject();
      try {
        const inversify = (folder: string, version: string): void => {
          const path = `${folder}node_modules/inversify`;
          project.write(
            `${path}/package.json`,
            JSON.stringify({ name: 'inversify', version, type: 'module', main: 'index.js' }),
          );
          project.write(`${path}/index.d.ts`, 'export declare class Container { private bindings: unknown }');
        };
        inversify('', '8.1.0');
        project.write(
          'src/main.ts',
          "import { Container } from 'inversify';\nimport { inner } from 'adorn/container.js';\nexport const all: [Container, typeof inner] = [new Container(), inner];",
        );
        project.write(
          'node_modules/adorn/container.d.ts',
          "import { Container } from 'inversify';\nexport declare const inner: Container;",
        );
        expect((await checkProject({ project: project.root })).diagnostics).toEqual([]);

        inversify('node_modules/adorn/', '8.0.0');
        const { diagnostics } = await checkProject({ project: project.root });

        const [own, adorns] = ['node_modules/', 'node_modules/adorn/node_modules/'].map((folder) =>
          project.path(`${folder}inversify`),
        );
        expect(diagnostics).toMatchObject([
          {
            rule: 'several-inversify',
            severity: 'warning',
            file: project.path('package.json'),
            line: 1,
            message: `The project has inversify 8.0.0 (${String(adorns)}) and 8.1.0 (${String(own)}): a container of one is none to the other.`,
          },
        ]);
      } finally {
        project.remove();
      }
    },
    SLOW,
  );
});
