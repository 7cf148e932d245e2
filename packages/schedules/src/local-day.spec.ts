import { localDaysOf } from './local-day.js';

const HOUR = 3_600_000;

/** The day of a time and the day before, each as its date, its first moment and its hours. */
function days(time: string, timeZone: string) {
  const { day, dayBefore } = localDaysOf(new Date(time), timeZone);
  return [day, dayBefore].map(({ date, from, until }) => [
    date,
    from.toISOString(),
    (until.getTime() - from.getTime()) / HOUR,
  ]);
}

describe('localDaysOf', () => {
  it.each([
    // One in the morning in Berlin is still the day before in UTC.
    ['Europe/Berlin', '2026-11-30T00:30:00Z', ['2026-11-30', '2026-11-29T23:00:00.000Z', 24]],
    ['America/Los_Angeles', '2026-11-30T00:30:00Z', ['2026-11-29', '2026-11-29T08:00:00.000Z', 24]],
    ['UTC', '2026-11-30T00:00:00Z', ['2026-11-30', '2026-11-30T00:00:00.000Z', 24]],
    ['Asia/Kathmandu', '2026-11-30T18:14:59Z', ['2026-11-30', '2026-11-29T18:15:00.000Z', 24]],
  ])('tells the day of a time in %s', (timeZone, time, expected) => {
    expect(days(time, timeZone)[0]).toEqual(expected);
  });

  it.each([
    [
      'a day of 23 hours',
      'Europe/Berlin',
      '2026-03-30T00:30:00Z',
      ['2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ],
    [
      'a day of 25 hours',
      'Europe/Berlin',
      '2026-10-26T00:30:00Z',
      ['2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ],
    // 24 hours before this time it is still two days before.
    [
      'a day of 23 hours, just after midnight',
      'Europe/Berlin',
      '2026-03-29T22:10:00Z',
      ['2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ],
    [
      'a day without a midnight',
      'Africa/Cairo',
      '2026-04-25T06:00:00Z',
      ['2026-04-24', '2026-04-23T22:00:00.000Z', 23],
    ],
    // Samoa left out 30 December 2011.
    [
      'the day before a missing one',
      'Pacific/Apia',
      '2011-12-31T00:00:00Z',
      ['2011-12-29', '2011-12-29T10:00:00.000Z', 24],
    ],
    [
      'the last day of a year',
      'Asia/Tokyo',
      '2026-12-31T15:00:00Z',
      ['2026-12-31', '2026-12-30T15:00:00.000Z', 24],
    ],
  ])('finds %s as the day before', (_what, timeZone, time, expected) => {
    expect(days(time, timeZone)[1]).toEqual(expected);
  });

  it('has the days of a year follow each other without a gap', () => {
    let { day } = localDaysOf(new Date('2027-01-01T12:00:00Z'), 'America/Havana');
    for (let count = 0; count < 366; count++) {
      const { dayBefore } = localDaysOf(day.from, 'America/Havana');
      expect(dayBefore.until).toEqual(day.from);
      expect(dayBefore.date < day.date).toBe(true);
      day = dayBefore;
    }
    expect(day.date).toBe('2025-12-31');
  });
});
