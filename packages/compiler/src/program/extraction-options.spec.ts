import { TemporaryProject } from '../fixtures/temporary-project.js';
import { deriveFiles } from '../derive/derive-files.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

const DECORATED = { experimentalDecorators: true, types: [] as string[] };

describe('extractionOptions', () => {
  const projects: TemporaryProject[] = [];
  afterEach(() =>
    projects.splice(0).forEach((project) => {
      project.remove();
    }),
  );

  function derive(
    compilerOptions: object,
    parameter: string,
    files: Readonly<Record<string, string>> = {},
  ): unknown {
    const project = open(compilerOptions);
    for (const [path, text] of Object.entries(files)) project.write(path, text);
    const file = project.write(
      'src/a.ts',
      `import { tool } from 'adorn'; export class A { @tool run(a: ${parameter}): void {} }`,
    );
    const answer = deriveFiles([file])[file];
    if (answer === undefined || 'error' in answer) return answer?.error;
    const { parametersJsonSchema } = answer.classes['A']?.tools['run'] ?? {};
    return parametersJsonSchema === undefined
      ? answer.faults
      : (parametersJsonSchema['properties'] as { readonly a: unknown }).a;
  }

  function open(compilerOptions: object): TemporaryProject {
    const project = new TemporaryProject({ compilerOptions, include: ['src'] });
    projects.push(project);
    return project;
  }

  it(
    'keeps null where the project is not strict, as TypeScript 6 and 7 do by default',
    () => {
      const nullable = { type: ['string', 'null'] };

      expect(derive({ ...DECORATED }, 'string | null')).toEqual(nullable);
      expect(derive({ ...DECORATED, strict: false }, 'string | null')).toEqual(nullable);
    },
    SLOW,
  );

  it(
    'finds what the libraries of a later target declare',
    () => {
      const bytes = { type: 'string', contentEncoding: 'base64' };
      const target = { ...DECORATED, module: 'NodeNext', target: 'ES2025' };

      expect(derive(target, 'Uint8Array')).toMatchObject(bytes);
      expect(derive({ ...target, lib: ['ES2025'] }, 'Uint8Array')).toMatchObject(bytes);
      expect(derive({ ...target, lib: ['ES2025', 'DOM'] }, 'Promise<string>[]')).toMatchObject({
        A: { code: 'TYPE_NOT_REPRESENTABLE' },
      });
    },
    SLOW,
  );

  it(
    'passes over options that only a later TypeScript knows',
    () => {
      const later = {
        ...DECORATED,
        module: 'node24',
        moduleResolution: 'node24',
        checkers: 2,
        stableTypeOrdering: true,
      };

      expect(derive(later, 'string')).toEqual({ type: 'string' });
    },
    SLOW,
  );

  it(
    'finds modules as a bundler does where nothing is said of it, and through `exports` only',
    () => {
      const files = {
        'node_modules/money/package.json': JSON.stringify({
          name: 'money',
          exports: { './cents': { types: './lib/cents.d.ts', default: './lib/cents.js' } },
        }),
        'node_modules/money/lib/cents.d.ts': 'export type Cents = number;',
      };

      expect(derive(DECORATED, "import('money/cents').Cents", files)).toEqual({ type: 'number' });
      expect(derive({ ...DECORATED, module: 'CommonJS' }, "import('money/cents').Cents", files)).toEqual({
        type: 'number',
      });
    },
    SLOW,
  );

  it(
    'takes "*" as all types that are installed',
    () => {
      expect(derive({ ...DECORATED, module: 'NodeNext', types: ['*'] }, 'Buffer')).toMatchObject({
        type: 'string',
        contentEncoding: 'base64',
      });
    },
    SLOW,
  );
});
