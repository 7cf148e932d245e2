import { z } from 'zod';

import { isStandardSchema } from './standard-schema.js';

describe('isStandardSchema', () => {
  it.each([
    [true, 'a schema of a library', z.object({})],
    [false, 'JSON Schema', { type: 'object' }],
    [false, 'one that cannot check', { '~standard': { version: 1, vendor: 'old' } }],
  ])('is %s of %s', (is, _, schema) => {
    expect(isStandardSchema(schema)).toBe(is);
  });
});
