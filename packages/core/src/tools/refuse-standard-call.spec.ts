import { transformSync } from 'esbuild';
import ts from 'typescript';

import { agent } from '../agents/agent.decorator.js';
import { LlmAgent } from '../agents/llm.agent.js';
import { inject, param, tool } from './tool.decorator.js';

/** Compilers that call decorators as the standard says, until they are told otherwise. */
const COMPILERS: readonly (readonly [string, (source: string) => string])[] = [
  ['esbuild', (source) => transformSync(source, { loader: 'ts', target: 'es2022' }).code],
  ['tsc', (source) => ts.transpile(source, { target: ts.ScriptTarget.ES2022 })],
];

const MISUSES: readonly (readonly [string, string, string])[] = [
  ['@tool', 'class Dice { @tool roll() {} }', '@tool on the method "roll"'],
  ['@tool()', 'class Dice { @tool() roll() {} }', '@tool on the method "roll"'],
  ['@tool on a static member', 'class Dice { @tool static roll() {} }', '@tool on the method "roll"'],
  ['@tool on a property', 'class Dice { @tool roll = () => 4 }', '@tool on the field "roll"'],
  ['@agent', '@agent class Dealer extends LlmAgent {}', '@agent on the class "Dealer"'],
  ['@agent()', '@agent({ model: "m" }) class Dealer extends LlmAgent {}', '@agent on the class "Dealer"'],
  ['@inject', 'class Dice { @inject("Table") table }', '@inject on the field "table"'],
  ['@param', 'class Dice { @param("Sides.") sides }', '@param on the field "sides"'],
];

describe.each(COMPILERS)(
  'decorators in a file that %s compiled without experimentalDecorators',
  (_, compile) => {
    it.each(MISUSES)('name the option and its file: %s', (_name, source, subject) => {
      expect(() => run(compile(source))).toThrow(
        expect.objectContaining({
          code: 'EXPERIMENTAL_DECORATORS_MISSING',
          message: expect.stringMatching(
            new RegExp(
              `^${subject} \\(.+\\) was called as a standard decorator, because its file was ` +
                'compiled without "experimentalDecorators". Set "experimentalDecorators": true in the ' +
                '"compilerOptions" of tsconfig.json: tsc, tsx, esbuild and Vite read it there. The "include" of that ' +
                'tsconfig.json must cover the file.$',
            ),
          ) as string,
        }) as Error,
      );
    });
  },
);

describe('decorators in a file that was compiled with experimentalDecorators', () => {
  it('are applied by esbuild as by tsc', () => {
    const tsconfigRaw = { compilerOptions: { experimentalDecorators: true } };
    const source = '@agent({ model: "m" }) class Dealer extends LlmAgent { @tool roll() {} }';

    expect(() => run(transformSync(source, { loader: 'ts', tsconfigRaw }).code)).not.toThrow();
  });
});

function run(code: string): void {
  const names = { tool, agent, inject, param, LlmAgent };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the compiled text of this spec
  const compiled = new Function(...Object.keys(names), code) as (...values: unknown[]) => void;
  compiled(...Object.values(names));
}
