import { runInNewContext } from 'node:vm';

import { type TransformOptions, transformSync } from 'esbuild';
import ts from 'typescript';

import type { ClassReference, DerivedParameter, DerivedTool } from '@adorn/schema';
import { requireFreshRecord } from './tools-of-service.js';

const SOURCE = `(globalThis as any).Orders = class Orders {
  list() { return []; }
  find(id: string, unused: string) { return id; }
  async refund(id: string, cents = 1, unit = 'eur') { return [id, cents, unit]; }
  async *watch(id: string, ...others: string[]) { yield [id, others]; }
  move(this: object, { from, ...rest }: { from: string; to?: string }, context: object) { return [from, rest, context]; }
}`;

const RECORDED: Readonly<Record<string, readonly DerivedParameter[]>> = {
  list: [],
  find: named('id', 'unused'),
  refund: named('id', 'cents', 'unit'),
  watch: named('id', 'others'),
  move: [{ kind: 'arguments' }, { kind: 'context' }],
};

describe('requireFreshRecord', () => {
  it.each<[compiler: string, compile: (text: string) => string]>([
    ['tsc', tsc(ts.ScriptTarget.ES2022)],
    ['tsc for old engines', tsc(ts.ScriptTarget.ES2015)],
    ['esbuild', esbuild({})],
    ['esbuild for old engines', esbuild({ target: 'es2015', keepNames: true })],
    ['esbuild as tsx calls it', esbuild({ minifyWhitespace: true, keepNames: true })],
    ['esbuild, minified', esbuild({ minify: true })],
  ])('takes the record of what %s made of the source', (_compiler, compile) => {
    const target = runInNewContext(compile(SOURCE)) as ClassReference;

    for (const [method, parameters] of Object.entries(RECORDED)) {
      expect(() => {
        requireFreshRecord(target, method, recordOf(parameters));
      }).not.toThrow();
    }
  });

  it.each<[change: string, parameters: readonly DerivedParameter[]]>([
    ['has a parameter less', named('id')],
    ['has a parameter more', named('id', 'cents', 'unit', 'note')],
    ['has them in another order', named('cents', 'id', 'unit')],
    ['has the context in the place of an argument', [{ kind: 'context' }, ...named('id', 'unit')]],
  ])('refuses a record that %s', (_change, parameters) => {
    expect(() => {
      requireFreshRecord(orders(), 'refund', recordOf(parameters));
    }).toThrow(expect.objectContaining({ code: 'SCHEMA_STALE' }) as Error);
  });

  it('refuses a record without a parameter that minified code has', () => {
    const target = runInNewContext('(class Orders { refund(e,t){} })') as ClassReference;

    expect(() => {
      requireFreshRecord(target, 'refund', recordOf(named('id')));
    }).toThrow(
      'The schema of Orders.refund was derived from refund(id), but the running code has refund(e, t)',
    );
  });

  it('says what to do', () => {
    expect(() => {
      requireFreshRecord(orders(), 'refund', recordOf([...named('id'), { kind: 'signal' }]));
    }).toThrow(
      'The schema of Orders.refund was derived from refund(id, signal), but the running code has ' +
        'refund(id, cents, unit): one of them is outdated. Compile the sources again, then run "adorn ' +
        'build" if you use it.',
    );
  });

  it('leaves a method alone that another decorator has replaced', () => {
    const target = orders();
    Object.assign(target.prototype as object, { refund: (...args: unknown[]) => args });

    expect(() => {
      requireFreshRecord(target, 'refund', recordOf(named('id')));
    }).not.toThrow();
  });

  it('does not look in production', () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      expect(() => {
        requireFreshRecord(orders(), 'refund', recordOf(named('id')));
      }).not.toThrow();
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });
});

function orders(): ClassReference {
  return runInNewContext(tsc(ts.ScriptTarget.ES2022)(SOURCE)) as ClassReference;
}

function tsc(target: ts.ScriptTarget): (text: string) => string {
  return (text) => ts.transpileModule(text, { compilerOptions: { target } }).outputText;
}

function esbuild(options: TransformOptions): (text: string) => string {
  return (text) => transformSync(text, { loader: 'ts', ...options }).code;
}

function named(...names: string[]): DerivedParameter[] {
  return names.map((name) => ({ kind: 'argument', name }));
}

function recordOf(parameters: readonly DerivedParameter[]): DerivedTool {
  return { parameters, parametersJsonSchema: { type: 'object' } };
}
