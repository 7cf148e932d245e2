import { ToolError } from '../../../core/src/index.js';
import { AdornError } from './adorn.error.js';
import { describeThrown } from './describe-thrown.js';
import { hostileValues } from './hostile-values.fixture.js';

describe('describeThrown', () => {
  it.each<[string, unknown, object]>([
    ['an error', new TypeError('broken'), { name: 'TypeError', message: 'broken', code: undefined }],
    [
      'an AdornError',
      new ToolError('no order'),
      { name: 'ToolError', message: 'no order', code: 'TOOL_FAILED' },
    ],
    ['a text', 'broken', { name: 'string', message: 'broken', code: undefined }],
    ['undefined', undefined, { name: 'undefined', message: 'undefined', code: undefined }],
    ['null', null, { name: 'object', message: 'null', code: undefined }],
    ['a symbol', Symbol('s'), { name: 'symbol', message: 'Symbol(s)', code: undefined }],
  ])('describes %s', (_what, thrown, description) => {
    expect(describeThrown(thrown)).toEqual(description);
  });

  it.each(hostileValues())('describes $what without throwing', ({ thrown }) => {
    const { name, message, code } = describeThrown(thrown);

    expect([typeof name, typeof message, code]).toEqual(['string', 'string', undefined]);
    expect(AdornError.is(thrown)).toBe(false);
  });
});
