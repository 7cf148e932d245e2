import {
  type CompactionRules,
  compactionRules,
  type EventsCompactionConfig,
} from './events-compaction-config.js';

describe('what a runner is told about compaction', () => {
  it.each<[EventsCompactionConfig, CompactionRules['interval'], CompactionRules['threshold']]>([
    [{}, { runs: 5, overlap: 2 }, undefined],
    [{ compactionInterval: 1 }, { runs: 1, overlap: 2 }, undefined],
    [{ overlapSize: 0 }, { runs: 5, overlap: 0 }, undefined],
    [{ tokenThreshold: 1, eventRetentionSize: 0 }, undefined, { tokens: 1, retention: 0 }],
    [
      { tokenThreshold: 900, eventRetentionSize: 5, compactionInterval: 3 },
      { runs: 3, overlap: 2 },
      { tokens: 900, retention: 5 },
    ],
  ])('%j is complete with its defaults', (config, interval, threshold) => {
    expect(compactionRules(config)).toEqual({ interval, threshold });
  });

  it('has a misspelt option, and is told the nearest', () => {
    expect(() => compactionRules({ interval: 3 } as EventsCompactionConfig)).toThrow(
      expect.objectContaining({
        code: 'COMPACTION_CONFIG_INVALID',
        message: expect.stringContaining(
          'there is no option interval. Valid: compactionInterval, ',
        ) as string,
      }) as Error,
    );
  });

  it.each<[string, unknown, string]>([
    ['compactionInterval', 0, 'at least 1'],
    ['compactionInterval', -1, 'at least 1'],
    ['compactionInterval', NaN, 'at least 1'],
    ['compactionInterval', Infinity, 'at least 1'],
    ['compactionInterval', 2.5, 'at least 1'],
    ['compactionInterval', '5', 'at least 1'],
    ['overlapSize', -1, 'at least 0'],
    ['overlapSize', NaN, 'at least 0'],
    ['tokenThreshold', 0, 'at least 1'],
    ['tokenThreshold', NaN, 'at least 1'],
    ['eventRetentionSize', -1, 'at least 0'],
    ['eventRetentionSize', null, 'at least 0'],
  ])('refuses %s: %p', (name, value, cure) => {
    expect(faultOf({ [name]: value })).toMatchObject({
      code: 'COMPACTION_CONFIG_INVALID',
      message: `Invalid compaction config: ${name} is ${typeof value === 'string' ? `"${value}"` : String(value)}. Pass a whole number of ${cure}.`,
    });
  });

  it.each<[Record<string, number>, string]>([
    [{ tokenThreshold: 900 }, 'tokenThreshold is given without eventRetentionSize'],
    [{ eventRetentionSize: 5 }, 'eventRetentionSize is given without tokenThreshold'],
    [
      { tokenThreshold: 900, eventRetentionSize: 5, overlapSize: 1 },
      'overlapSize has no effect without a compactionInterval where a tokenThreshold is given',
    ],
  ])('refuses %j', (config, fault) => {
    expect(faultOf(config)).toMatchObject({
      code: 'COMPACTION_CONFIG_INVALID',
      message: expect.stringContaining(`: ${fault}. `) as string,
    });
  });

  it('is refused by its type where one of two that belong together is missing', () => {
    // @ts-expect-error -- a threshold needs to be told what stays
    const threshold: EventsCompactionConfig = { tokenThreshold: 900 };
    // @ts-expect-error -- what stays needs a threshold
    const retention: EventsCompactionConfig = { eventRetentionSize: 5 };

    expect([threshold, retention]).toHaveLength(2);
  });
});

function faultOf(config: Record<string, unknown>): unknown {
  try {
    return compactionRules(config);
  } catch (error) {
    return error;
  }
}
