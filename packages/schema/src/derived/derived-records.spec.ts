import { DERIVED, type DerivedClass } from './derived-class.js';
import { FunctionRecord, loadDerivedRecords, loadFunctionRecord, writtenRecord } from './derived-records.js';

const RECORD: DerivedClass = { description: 'Orders.', tools: {} };

class Orders {
  static readonly [DERIVED] = RECORD;
  readonly kind: string = 'orders';
}

class RushOrders extends Orders {}

const ROLL = { parameters: [], parametersJsonSchema: {} };

describe('writtenRecord', () => {
  it("is read from the class itself, and never its base's", () => {
    expect([writtenRecord(Orders), writtenRecord(RushOrders)]).toEqual([RECORD, undefined]);
  });

  it('is where the emitted code leaves it', () => {
    expect(DERIVED).toBe(Symbol.for('adorn:derived'));
  });
});

describe('loadDerivedRecords', () => {
  it('takes what the build wrote', async () => {
    const records = await loadDerivedRecords(new Map([[Orders, ['refund']]]));

    expect([...records]).toEqual([[Orders, RECORD]]);
  });

  it('wants those of which nothing was written, each by its kind and its name', async () => {
    const written = new FunctionRecord('roll', [], ROLL);
    const unwritten = new FunctionRecord('draw', []);
    const targets = new Map([
      [Orders, []],
      [RushOrders, ['refund', 'cancel']],
    ]);

    await expect(loadDerivedRecords(targets, [written, unwritten])).rejects.toMatchObject({
      code: 'SCHEMA_MISSING',
      message: expect.stringMatching(
        /the tools of RushOrders \(refund, cancel\): .*; the function draw: /,
      ) as unknown,
    });
    await expect(loadFunctionRecord(written)).resolves.toBe(ROLL);
    await expect(loadFunctionRecord(unwritten)).rejects.toMatchObject({ code: 'SCHEMA_MISSING' });
  });

  it('loads nothing for nothing', async () => {
    expect((await loadDerivedRecords(new Map())).size).toBe(0);
  });
});
