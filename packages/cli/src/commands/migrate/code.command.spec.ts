import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { type Ended, Project } from '../project.fixture.js';

/** The compiler is loaded, on a machine that may have other work. */
const SLOW = 120_000;

/** The service template as it was before 0.1.0, with what it could import then. */
const BEFORE = {
  'package.json': `{
  "type": "module",
  "dependencies": { "adorn": "0.1.0", "@adorn/core": "0.1.0" }
}
`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'NodeNext',
      strict: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      noEmit: true,
      types: ['node'],
      skipLibCheck: true,
    },
    include: ['src'],
  }),
  'src/reception.agent.ts': `import { LoggingPlugin, TurnOptions } from '@adorn/core';
import { agent, Ask, createRunner, LlmAgent, loop, param, sequence, tool, type ToolContext } from "adorn";
import type { LoopOptions, ToolTraits } from "adorn";

/** Books rooms. */
@agent({ model: "gemini-2.5-flash", description: "Books rooms." })
export class Reception extends LlmAgent {
  /** Frees a room. */
  @tool() free(@param("The room") room: number, context: ToolContext): string {
    return \`\${room} of \${context.userId}\`; // Ask nobody
  }

  beforeTool(tool: { name: string }, args: object, context: ToolContext): Ask | undefined {
    return tool.name === "free" ? new Ask(\`Free a room of \${context.userId}?\`) : undefined;
  }
}

const rounds: LoopOptions<unknown> = { maxIterations: 2 };
export const traits: ToolTraits = {}, settings: TurnOptions = {};
export const Desk = sequence(loop(Reception, rounds));
export const start = () => createRunner(Desk, { plugins: [new LoggingPlugin()] });
`,
  'src/other.ts': `import { Ask, loop } from './words.js';\n\nexport const asked = [Ask, loop];\n`,
  'src/words.ts': `export const Ask = 'adorn', loop = 1;\n`,
};

describe('adorn migrate code', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.create(BEFORE);
  });
  afterEach(() => project.remove());

  function commit(): void {
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: project.folder,
      });
    };
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'before');
  }

  function typeCheck(): Promise<Ended> {
    return project.node(resolve('node_modules/typescript/bin/tsc'), '-p', '.');
  }

  it(
    'makes a program of earlier names one that compiles, and changes nothing the second time',
    async () => {
      commit();
      expect((await typeCheck()).code).not.toBe(0);

      expect(await project.adornInTurn('migrate', 'code')).toMatchObject({ code: 0, errors: '' });

      const source = await project.read('src/reception.agent.ts');
      expect(source).toContain("import { LoggingPlugin } from '@adorn/plugins';");
      expect(source).toContain('// Ask nobody');
      expect(source).toContain('export const Desk = workflow.sequence(workflow.loop(Reception, rounds));');
      expect(await project.read('src/other.ts')).toBe(BEFORE['src/other.ts']);
      expect(JSON.parse(await project.read('package.json'))).toMatchObject({
        dependencies: { '@adorn/plugins': '0.1.0' },
      });
      expect(await typeCheck()).toMatchObject({ code: 0, output: '' });
      expect(await project.adornInTurn('check')).toMatchObject({ code: 0 });
      const again = await project.adornInTurn('migrate', 'code', '--force');
      expect(again).toMatchObject({ code: 0, output: '3 sources read: nothing to change.\n' });
      expect(await project.read('src/reception.agent.ts')).toBe(source);
    },
    SLOW,
  );

  it(
    'refuses a folder with changes that are not committed, and writes nothing in a dry run',
    async () => {
      commit();
      await project.write('src/words.ts', `${BEFORE['src/words.ts']}// more\n`);

      const refused = await project.adornInTurn('migrate', 'code');
      expect(refused.code).toBe(2);
      expect(refused.errors).toContain('has changes that are not committed (');

      const { output, code } = await project.adornInTurn('migrate', 'code', '--dry-run');
      expect(code).toBe(0);
      expect(output).toContain("-import { LoggingPlugin, TurnOptions } from '@adorn/core';\n");
      expect(output).toContain('+    "@adorn/plugins": "0.1.0"');
      expect(await project.read('src/reception.agent.ts')).toBe(BEFORE['src/reception.agent.ts']);
      expect(await project.read('package.json')).toBe(BEFORE['package.json']);
    },
    SLOW,
  );

  it(
    'fails where a name is left to change by hand, and says where',
    async () => {
      await project.write('src/late.ts', `import { withCache } from 'adorn';\n\nexport default withCache;\n`);

      const { output, code } = await project.adornInTurn('migrate', 'code', 'src', '--force', '--json');
      expect(code).toBe(1);
      expect(JSON.parse(output)).toMatchObject({
        files: [
          {
            path: 'late.ts',
            changes: [],
            byHand: [
              { line: 3, column: 16, name: 'withCache', advice: 'Write withOptions(tool, { cache }).' },
            ],
          },
          { path: 'reception.agent.ts' },
        ],
        dependencies: [{ path: '../package.json', added: { '@adorn/plugins': '0.1.0' } }],
      });
    },
    SLOW,
  );

  it('says which folder is none', async () => {
    expect(await project.adornInTurn('migrate', 'code', 'nowhere')).toMatchObject({ code: 2 });
    expect(existsSync(project.path('nowhere'))).toBe(false);
  });
});
