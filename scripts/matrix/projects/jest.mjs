import { works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';

const VM_MODULES = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const JEST = '../node_modules/jest/bin/jest.js';

/** The program as a test; what it prints goes past what a test runner does with the console. */
const SPEC = `import { play } from './play.js';

it('plays', async () => {
  const outcome = await play().catch(({ code, message }) => ({ code, message }));
  process.stdout.write('OUTCOME ' + JSON.stringify(outcome) + '\\n');
}, 60_000);
`;

const SWC = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'es6' },
};

export const JEST_AND_VITEST = [
  tested('Jest, ES modules, by hand', {
    extensionsToTreatAsEsm: ['.ts'],
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
    transform: { '^.+\\.ts$': ['ts-jest', { useESM: true }] },
  }),
  tested('Jest, ES modules, preset', { preset: '@adorn/compiler/jest' }),
  tested('Jest, ES modules, preset and swc', {
    preset: '@adorn/compiler/jest',
    transform: { '^.+\\.[cm]?tsx?$': ['@swc/jest', SWC] },
  }),
  tested('Jest, CommonJS, preset', { preset: '@adorn/compiler/jest-commonjs' }, 'commonjs'),
  {
    name: 'vitest',
    tools: 'typescript-5',
    files: {
      'tsconfig.json': tsconfig(),
      'src/play.spec.ts': SPEC,
      'vitest.config.mjs': 'export default { test: { globals: true } };',
    },
    cells: [{ name: 'on demand', run: ['vitest', 'run'], expects: works() }],
  },
];

function tested(name, config, type = 'module') {
  const settings = { testMatch: ['<rootDir>/src/*.spec.ts'], ...config };
  return {
    name,
    tools: 'typescript-5',
    files: {
      'package.json': { type, jest: settings },
      'tsconfig.json': tsconfig({ types: ['node', 'jest'], isolatedModules: true }),
      'src/play.spec.ts': SPEC,
    },
    cells: [
      {
        name: 'on demand',
        run: ['node', ...(type === 'module' ? VM_MODULES : []), JEST],
        expects: works(),
      },
    ],
  };
}
