import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

import { composedKeys } from './eslint/composed-keys.rule.mjs';
import { guardedListeners } from './eslint/guarded-listeners.rule.mjs';

const NODE = ['Buffer', 'clearTimeout', 'console', 'performance', 'process', 'setTimeout', 'URL'];

const NO_FOREIGN_CHILD = {
  selector: "NewExpression[callee.name='Container'] Property[key.name='parent']",
  message: 'Use childOf(parent): containers of two copies of inversify do not mix.',
};

/** A child that is started elsewhere leaves its own children behind when it, or this process, ends. */
const STARTED_BY =
  'Use startGroup of @adorn/core/backend: the children of a child end with it, and it with this process.';
const NO_LONE_CHILD = ['node:child_process', 'child_process'].map((name) => ({
  name,
  importNames: ['default', 'spawn', 'fork', 'exec', 'execFile'],
  allowTypeImports: true,
  message: STARTED_BY,
}));
const NO_HIDDEN_CHILD = [
  {
    selector:
      ':matches(ImportExpression[source.value=/^(node:)?child_process$/], CallExpression[callee.name="require"][arguments.0.value=/^(node:)?child_process$/])',
    message: 'Import it at the top of the file, where a rule checks what is started.',
  },
  { selector: 'Identifier[name="StdioClientTransport"]', message: STARTED_BY },
];

export default defineConfig(
  {
    ignores: [
      '{packages,samples}/*/{build,dist}/',
      'packages/server/page/',
      'packages/adorn/docs/',
      'packages/cli/templates/*/build/',
      '.work/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['{packages,samples}/*/src/**/*.{ts,tsx}', 'packages/cli/templates/*/src/**/*.ts'],
    extends: [eslint.configs.recommended, tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: new URL('..', import.meta.url).pathname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-misused-spread': [
        'error',
        {
          allow: [
            {
              from: 'package',
              package: '@google/genai',
              name: ['Content', 'FunctionCall', 'FunctionResponse', 'Part'],
            },
          ],
        },
      ],
      // @google/genai declares what goes over the wire as classes; it is written here as plain objects.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // `async` keeps a promise even where the work is done at once: what is thrown arrives as a rejection.
      '@typescript-eslint/require-await': 'off',
      'no-restricted-syntax': ['error', NO_FOREIGN_CHILD],
    },
  },
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: [
      '**/*.spec.ts',
      '**/*.fixture.ts',
      'packages/{conformance,chaos,benchmarks}/**',
      '**/runtime/process-group.ts',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', { paths: NO_LONE_CHILD }],
      'no-restricted-syntax': ['error', NO_FOREIGN_CHILD, ...NO_HIDDEN_CHILD],
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.fixture.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off', // a spec that is wrong about it fails
      '@typescript-eslint/no-unsafe-assignment': 'off', // expect.any() and the like
    },
  },
  {
    // A longer file says in its first line why it is one concept.
    files: ['{packages,samples}/*/src/**/*.{ts,tsx}'],
    ignores: ['**/*.{spec,fixture}.ts'],
    rules: { 'max-lines': ['error', 400] },
  },
  {
    // The other packages are programs for one person, or tests: what fails there is their own end.
    files: ['packages/*/src/**/*.ts'],
    ignores: [
      '**/*.{spec,fixture}.ts',
      'packages/{benchmarks,chaos,cli,compiler,conformance,create-adorn,docs,studio,testing}/**',
    ],
    plugins: { adorn: { rules: { 'composed-keys': composedKeys, 'guarded-listeners': guardedListeners } } },
    rules: { 'adorn/composed-keys': 'error', 'adorn/guarded-listeners': 'error' },
  },
  {
    files: ['packages/{core,gemini,adorn}/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.fixture.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        NO_FOREIGN_CHILD,
        ...NO_HIDDEN_CHILD,
        { selector: 'MetaProperty[meta.name="import"]', message: 'Not every bundler knows `import.meta`.' },
        {
          selector: 'AwaitExpression:not(:function AwaitExpression)',
          message: 'A module that awaits cannot be required.',
        },
      ],
    },
  },
  {
    files: ['scripts/**/*.{js,mjs,cjs}', '.dependency-cruiser.cjs'],
    extends: [eslint.configs.recommended],
    languageOptions: {
      globals: Object.fromEntries(
        [...NODE, 'globalThis', '__dirname', 'require']
          .map((name) => [name, 'readonly'])
          .concat([['module', 'writable']]),
      ),
    },
  },
);
