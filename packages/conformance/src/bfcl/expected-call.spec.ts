import { boundCall, chooseCall } from './expected-call.js';

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    filter: { type: 'object', properties: { size: { type: 'string' }, gone: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['city', 'tags'],
};

describe('an expected call', () => {
  it('has the first acceptable value that fits, also within objects', () => {
    const acceptable = {
      city: ['Oslo', 'Rome'],
      days: ['three', 3],
      filter: [{ size: ['', 'big'], gone: [''] }],
      tags: [['a'], ['b']],
    };

    expect(chooseCall('search', acceptable, schema)).toEqual({
      name: 'search',
      args: { city: 'Oslo', days: 3, filter: { size: 'big' }, tags: ['a'] },
    });
  });

  it('leaves out what may be left out, and keeps an empty text and an empty list that are needed', () => {
    expect(chooseCall('search', { city: [''], days: [''], tags: [] }, schema).args).toEqual({
      city: '',
      tags: [],
    });
  });

  it('has a value that does not fit where none does, null included', () => {
    expect(chooseCall('search', { days: [null, 'many'] }, schema).args).toEqual({ days: null });
  });

  it('takes an object whose fields are no lists for the value itself', () => {
    expect(chooseCall('search', { filter: [{ size: 'big' }] }, schema).args).toEqual({
      filter: { size: 'big' },
    });
  });

  it('binds what has no name in the order of the parameters', () => {
    const call = { name: 'search', positional: ['Oslo', 3], named: { tags: ['a'] } };

    expect(boundCall(call, schema).args).toEqual({ city: 'Oslo', days: 3, tags: ['a'] });
  });
});
