import { partCheck, schemaCompiler } from './ajv.js';

describe('partCheck', () => {
  it.each(['$defs', 'definitions'])('checks against a part that refers to %s of the whole', async (name) => {
    const whole = { [name]: { Size: { type: 'integer' } } };
    const fits = partCheck(await schemaCompiler(whole), whole);
    const part = { $ref: `#/${name}/Size` };

    expect([fits(part, 1), fits(part, 'many'), fits(part, 2)]).toEqual([true, false, true]);
  });

  it('fits nothing to a part that refers to what is not with it', async () => {
    const whole = { properties: { size: { type: 'integer' } } };
    const fits = partCheck(await schemaCompiler(whole), whole);

    expect(fits({ $ref: '#/properties/size' }, 1)).toBe(false);
  });
});
