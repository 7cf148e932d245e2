/** @isolated */
import 'reflect-metadata';

import { jest } from '@jest/globals';

import type { ClassReference } from '../metadata/class-metadata.js';
import type { Hydrator as HydratorClass } from './hydrator.js';

class Plain {
  readonly sku: string = '';
}

const missing = (name: string) => () => {
  throw Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' });
};

/** A hydrator of one class, in a copy of the module that has not loaded a library. */
async function hydratorOf(type: ClassReference): Promise<HydratorClass> {
  const { Hydrator } = await import('./hydrator.js');
  const plan = { kind: 'class', class: 'Item' } as const;
  return new Hydrator(plan, { plans: {}, classes: new Map([['Item', type]]), definitions: {} });
}

describe('a parameter of a class type, where a library is not installed', () => {
  beforeEach(() => {
    jest.resetModules();
  });
  afterEach(() => {
    for (const name of ['class-transformer', 'class-validator']) jest.unstable_unmockModule(name);
  });

  it('is refused when the tool is made ready, if class-transformer is missing', async () => {
    jest.unstable_mockModule('class-transformer', missing('class-transformer'));

    await expect((await hydratorOf(Plain)).ready()).rejects.toMatchObject({
      code: 'LIBRARY_MISSING',
      message:
        'A parameter of a tool has a class type, and class-transformer, which constructs its instances, cannot be ' +
        'imported from @adorn/core. Install it beside @adorn/core: npm install class-transformer. If the parameter is ' +
        'only data, make it an interface.',
    });
  });

  it('is refused if class-validator is missing and the class, or its base, has decorators of it', async () => {
    const { IsInt } = await import('class-validator');
    class Item {
      readonly count: number = 1;
    }
    IsInt()(Item.prototype, 'count');
    class Special extends Item {}
    jest.resetModules();
    jest.unstable_mockModule('class-validator', missing('class-validator'));

    await expect((await hydratorOf(Special)).ready()).rejects.toMatchObject({
      code: 'LIBRARY_MISSING',
      message: expect.stringContaining('class-validator, which checks its decorators, cannot be imported'),
    });
  });

  it('needs no class-validator for a class without decorators of it', async () => {
    jest.unstable_mockModule('class-validator', missing('class-validator'));
    const hydrator = await hydratorOf(Plain);

    await hydrator.ready();

    const faults = { add: jest.fn(), throwAny: jest.fn() };
    expect(await hydrator.hydrate('item', { sku: 'A' }, faults as never)).toBeInstanceOf(Plain);
    expect(faults.add).not.toHaveBeenCalled();
  });
});
