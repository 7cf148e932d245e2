import { endsWell, fails, works } from '../outcome.mjs';
import { tsconfig } from '../tsconfig.mjs';
import { PRODUCTION } from './tsc.mjs';

const VM_MODULES = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const JEST = '../node_modules/jest/bin/jest.js';

/** The program as a test; what it prints goes past what a test runner does with the console. */
const SPEC = `import { play } from './play.js';

it('plays', async () => {
  const outcome = await play().catch(({ code, message }) => ({ code, message }));
  process.stdout.write('OUTCOME ' + JSON.stringify(outcome) + '\\n');
}, 60_000);
`;

/** A backend of an application, held to the contract by the functions of Vitest, which are not global here. */
const CONTRACT = `import { describeSessionService, useTestRunner } from '@adorn/testing/contracts';
import { type Event, InMemorySessionService, type Session, SessionService } from 'adorn';
import { describe, it } from 'vitest';

class Sessions extends SessionService {
  private readonly inner = new InMemorySessionService();
  createSession: SessionService['createSession'] = (...args) => this.inner.createSession(...args);
  getSession: SessionService['getSession'] = (...args) => this.inner.getSession(...args);
  listSessions: SessionService['listSessions'] = (...args) => this.inner.listSessions(...args);
  updateSession: SessionService['updateSession'] = (...args) => this.inner.updateSession(...args);
  deleteSession: SessionService['deleteSession'] = (...args) => this.inner.deleteSession(...args);
  appendEvent: SessionService['appendEvent'] = (...args) => this.inner.appendEvent(...args);
}

class Forgetful extends Sessions {
  override appendEvent = async (session: Session, _event: Event): Promise<Session> => session;
}

useTestRunner({ describe, it });
const Service = process.env['BACKEND'] === 'forgetful' ? Forgetful : Sessions;
describeSessionService('Sessions', async () => new Service(), {
  lacks: [
    'allSessions',
    'appendEvents',
    'deleted',
    'deleteUserState',
    'getUserState',
    'listOpenRequests',
    'openRun',
    'postMail',
    'renameSession',
    'stateUpdates',
  ],
});
`;

/** The matchers of runs, with their types, by the `expect` of Vitest. */
const MATCHERS = `import { callsTool, runMatchers, type RunMatchers, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, defineTool } from 'adorn';
import { expect, it } from 'vitest';

declare module 'vitest' {
  interface Matchers<T = any> extends RunMatchers<T> {}
}

expect.extend(runMatchers);

it('asks before it refunds', async () => {
  const parameters = { type: 'object', properties: { order: { type: 'string' } } } as const;
  const refund = defineTool({ name: 'refund', description: 'Refunds.', parameters, confirm: true, run: () => 'done' });
  const clerk = defineAgent({ name: 'clerk', description: 'Refunds.', tools: [refund] });
  await using runner = await createRunner(clerk, { model: new ScriptedModel(callsTool('refund', { order: 'A-17' })) });
  const result = await runner.run({ userId: 'ada', message: 'Refund A-17' });
  expect(result).toHaveCalledTool('refund', { order: process.env['ORDER'] ?? 'A-17' });
  expect(result).toBeWaitingFor({ tool: 'refund', args: { order: expect.stringContaining('17') } });
  expect(result).not.toEmit({ text: 'done' });
}, 60_000);
`;

/** The schemas are in the classes when the tests run, so that nothing is derived. */
const WITH_PLUGIN = `import adorn from '@adorn/compiler/vite';
export default { plugins: [adorn()], test: { globals: true } };
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
      'plugin.config.mjs': WITH_PLUGIN,
      'setup.config.mjs':
        "export default { test: { globals: true, globalSetup: '@adorn/compiler/vitest' } };",
      'contract/sessions.spec.ts': CONTRACT,
      'contract/vitest.config.mjs': 'export default {};',
      'matchers/src/matchers.spec.ts': MATCHERS,
      'matchers/vitest.config.mjs': 'export default {};',
      'matchers/tsconfig.json': tsconfig({ noEmit: true, lib: ['ES2023', 'ESNext.Disposable', 'DOM'] }),
    },
    cells: [
      { name: 'on demand', run: ['vitest', 'run', '--dir', 'src'], expects: works() },
      {
        name: 'set-up',
        run: ['vitest', 'run', '--dir', 'src', '--config', 'setup.config.mjs'],
        expects: works(),
      },
      {
        name: 'plugin, production',
        run: ['vitest', 'run', '--dir', 'src', '--config', 'plugin.config.mjs'],
        env: PRODUCTION,
        expects: works(),
      },
      {
        name: 'contract suite',
        run: ['vitest', 'run', '--root', 'contract'],
        expects: endsWell('the backend passes', /Tests +\d{2,} passed/),
      },
      {
        name: 'contract suite, broken backend',
        run: ['vitest', 'run', '--root', 'contract'],
        env: { BACKEND: 'forgetful' },
        expects: fails(/Expected.*\n.*Received/),
      },
      {
        name: 'matchers',
        run: ['vitest', 'run', '--root', 'matchers'],
        expects: endsWell('a run is matched', /Tests +1 passed/),
      },
      {
        name: 'matchers, another call',
        run: ['vitest', 'run', '--root', 'matchers'],
        env: { ORDER: 'A-18' },
        expects: fails(/Expected a call of refund with[\s\S]*The conversation:/),
      },
      {
        name: 'matchers, types',
        run: ['tsc', '-p', 'matchers'],
        expects: endsWell('they are known'),
      },
    ],
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
