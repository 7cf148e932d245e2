import type { Profiler } from 'node:inspector';

import { countFunctions, type SourcePlace } from './count-functions.js';

const CORE = 'file:///repo/core/dist/index.js';

/** Every hundred characters of the script are a source file of its own. */
function placeOf(url: string, offset: number): SourcePlace | undefined {
  return url === CORE ? { path: `file-${String(Math.floor(offset / 100))}.ts`, line: offset } : undefined;
}

function ran(functionName: string, startOffset: number, count: number): Profiler.FunctionCoverage {
  return {
    functionName,
    isBlockCoverage: false,
    ranges: [{ startOffset, endOffset: startOffset + 9, count }],
  };
}

function script(url: string, ...functions: Profiler.FunctionCoverage[]): Profiler.ScriptCoverage {
  return { scriptId: url, url, functions };
}

it('counts the files, the functions and the calls of what ran', () => {
  const coverage = [script(CORE, ran('run', 110, 1), ran('append', 150, 3), ran('open', 20, 2))];

  expect(countFunctions(coverage, placeOf)).toEqual({
    files: ['file-0.ts', 'file-1.ts'],
    functions: 3,
    calls: 6,
  });
});

it.each([
  ['did not run', script(CORE, ran('run', 110, 0))],
  ['has no name', script(CORE, ran('', 110, 4))],
  ['is made by V8', script(CORE, ran('<instance_members_initializer>', 110, 4))],
  ['is of no wanted source', script('file:///repo/node_modules/ajv.js', ran('validate', 110, 4))],
])('leaves out a function that %s', (_, other) => {
  expect(countFunctions([other], placeOf)).toEqual({ files: [], functions: 0, calls: 0 });
});

it('tells two functions of one name apart by their places', () => {
  const coverage = [script(CORE, ran('next', 110, 1), ran('next', 120, 1))];

  expect(countFunctions(coverage, placeOf)).toMatchObject({ functions: 2, calls: 2 });
});
