import { FunctionTool } from '@adorn/core';

import { searchable, type SearchableOptions } from './index.js';

const find = new FunctionTool({ name: 'find', description: 'Finds.', run: () => 'found' });

describe('the options of searchable', () => {
  it.each<[unknown, string]>([
    [null, 'its options are null'],
    [{ kep: 3 }, 'there is no option kep. Did you mean keep?'],
    [{ keep: 0 }, 'keep is 0. Pass a whole number from 1.'],
    [{ keep: Infinity }, 'keep is Infinity. Pass a whole number from 1.'],
    [{ limit: 21 }, 'limit is 21. Pass a whole number from 1 to 20.'],
    [{ limit: 1.5 }, 'limit is 1.5. Pass a whole number from 1 to 20.'],
    [{ name: 'a b' }, 'name is "a b". Pass a text of at most 64 letters'],
    [{ name: 'a:b' }, 'name is "a:b". Pass a text of at most 64 letters'],
    [{ about: 7 }, 'about is 7. Pass a text.'],
    [{ embedder: {} }, 'Pass an instance of a class that extends Embedder'],
  ])('are refused: %j', (options, message) => {
    expect(() => searchable(find, options as SearchableOptions)).toThrow(
      expect.objectContaining({
        code: 'TOOL_SEARCH_OPTION_INVALID',
        message: expect.stringContaining(message) as string,
      }) as Error,
    );
  });

  it('come behind a source', () => {
    expect(() => searchable([])).toThrow(
      'searchable: the list of sources is empty. Pass what tools of an agent may list.',
    );
  });
});
