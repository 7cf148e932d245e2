import { judgeGroup } from './judge-group.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

describe('judgeGroup', () => {
  it('passes where the verdicts are the same, what was mended into something valid included', async () => {
    expect(await faultsOf({ type: 'integer' }, [1, true], ['a', false], ['2', false])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('finds what is let in and must not be, and the other way round', async () => {
    expect(await faultsOf({ type: 'integer' }, [1, false], ['a', true])).toEqual([
      'it is not valid, and was let in',
      expect.stringContaining('it is valid, and was answered {"error":'),
    ]);
  });

  it('finds a value that is changed though it is valid', async () => {
    expect(await faultsOf({ type: 'integer' }, ['2', true])).toEqual(['it is valid, and became {"value":2}']);
  });

  it('finds a schema that is refused', async () => {
    expect(await faultsOf({ type: 'text' }, [1, true])).toEqual([
      expect.stringContaining('schema is invalid'),
    ]);
  });
});

async function faultsOf(schema: unknown, ...verdicts: readonly (readonly [data: unknown, valid: boolean])[]) {
  const tests = verdicts.map(([data, valid]) => ({ description: 'a value', data, valid }));
  const checks = await judgeGroup('file', { description: 'a group', schema, tests }, DIALECT);
  return checks.map(({ fault }) => fault);
}
