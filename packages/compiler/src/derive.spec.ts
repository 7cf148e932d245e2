import { spawnSync } from 'node:child_process';

import { build } from 'esbuild';

import { TemporaryProject } from './fixtures/temporary-project.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

describe('the process that derives', () => {
  it(
    'reads files on its standard input and writes one answer on its standard output',
    async () => {
      const project = new TemporaryProject();
      try {
        const script = await bundled(project);
        const file = project.write(
          'src/a.ts',
          "import { tool } from 'adorn';\n/** A. */\n@tool\nexport class A { @tool run(): void {} }",
        );

        const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
          input: JSON.stringify({ files: [file] }),
          encoding: 'utf8',
        });

        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
        expect(JSON.parse(stdout)).toMatchObject({
          [file]: { classes: { A: { description: 'A.', tools: { run: { parameters: [] } } } }, faults: {} },
        });
      } finally {
        project.remove();
      }
    },
    SLOW,
  );
});

/** The script as the repository's build bundles it, where it finds what it depends on. */
async function bundled(project: TemporaryProject): Promise<string> {
  const outfile = project.path('derive.mjs');
  await build({
    entryPoints: ['packages/compiler/src/derive.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: {
      '@adorn/core': './packages/schema/src/errors/adorn.error.ts',
      '@adorn/schema': './packages/schema/src/index.ts',
      '@adorn/core/backend': './packages/core/src/backend.ts',
    },
    packages: 'external',
    logLevel: 'error',
  });
  return outfile;
}
