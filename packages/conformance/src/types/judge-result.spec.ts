import type { DerivedClass } from '@adorn/core/compiler';

import { RESULT_METHOD } from './derive-cases.js';
import { judgeResult } from './judge-result.js';

const TEXT = { type: 'string' };
const PERSON = { type: 'object', properties: { name: TEXT }, required: ['name'] };

function returning(responseJsonSchema: object | undefined): DerivedClass {
  return {
    name: 'Giver',
    tools: {
      [RESULT_METHOD]: {
        parameters: [],
        parametersJsonSchema: { type: 'object', properties: {} },
        ...(responseJsonSchema !== undefined && {
          responseJsonSchema: responseJsonSchema as Record<string, unknown>,
        }),
      },
    },
  };
}

describe('judgeResult', () => {
  it('says of each response whether it fits what was declared', async () => {
    expect(await judgeResult(returning(PERSON), [{ name: 'Ada' }])).toEqual({ outcome: 'fits' });
    expect(await judgeResult(returning(TEXT), ['a', 'b'])).toEqual({ outcome: 'fits' });
    expect(await judgeResult(returning(PERSON), [{ name: 'Ada' }, { name: 7 }])).toEqual({
      outcome: 'differs',
      reason: '{"name":7}: /name must be string',
    });
    expect(await judgeResult(returning(TEXT), [{ name: 'Ada' }])).toMatchObject({ outcome: 'differs' });
  });

  it('tells a result that JSON cannot hold, and one of which nothing is declared', async () => {
    expect(await judgeResult(returning(PERSON), [{ name: new Map() }])).toMatchObject({ outcome: 'differs' });
    expect(await judgeResult(returning(undefined), ['a'])).toEqual({ outcome: 'promises nothing' });
  });
});
