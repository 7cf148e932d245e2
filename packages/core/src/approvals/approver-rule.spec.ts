import { permissionOf } from './answer-authority.js';
import {
  approverFault,
  ApproversInvalidError,
  asksOthers,
  checkedRule,
  escalatedRule,
  readRules,
  secondsIn,
} from './approver-rule.js';
import { toPrincipal } from './principal.js';

const escalating = (escalate: unknown) => ({ role: 'manager', escalate });

describe('a rule of approvers', () => {
  it.each<[unknown, string]>([
    ['manager', '"manager" is no rule'],
    [undefined, 'absent is no rule'],
    [7, 'a number is no rule'],
    [['requester'], 'a list is no rule'],
    [{}, 'its role is no text'],
    [{ role: '' }, 'its role is no text'],
    [{ role: 'manager', cuont: 2 }, 'there is no "cuont" in a rule'],
    [{ role: 'manager', of: undefined }, 'its "of" has no value'],
    [{ role: 'manager', of: [] }, 'its "of" has no value'],
    ...[0, -1, 1.5, NaN, Infinity, '2', null].map(
      (count) =>
        [{ role: 'manager', count }, 'its count is no whole number of at least 1'] as [unknown, string],
    ),
    [{ role: 'manager', self: 'yes' }, 'its self is neither true nor false'],
    [escalating('4h'), 'in its escalate, there is no { after, to }'],
    [escalating(null), 'in its escalate, there is no { after, to }'],
    [escalating(7), 'in its escalate, there is no { after, to }'],
    [escalating({ after: '4h', to: 'others', then: 1 }), 'in its escalate, "then" is neither after nor to'],
    [escalating({ after: '4y', to: 'others' }), 'in its escalate, after is no time such as 4h'],
    [escalating({ after: '4h', to: null }), 'in its escalate, null is no rule'],
    [escalating({ after: '4h', to: 'requester' }), 'in its escalate, to is no role that one more person has'],
    [escalating({ after: '4h', to: { role: 'a', count: 2 } }), 'in its escalate, to is no role'],
  ])('is refused, with what is wrong: %j', (rule, fault) => {
    expect(approverFault(rule)).toContain(fault);
    expect(() => checkedRule(rule, 'pay')).toThrow(ApproversInvalidError);
    expect(() => checkedRule(rule, 'pay')).toThrow(
      /The approvers of a call of "pay" cannot be used: .* Pass 'requester'/,
    );
  });

  it.each([
    ['requester'],
    ['others'],
    [{ role: 'manager', of: ['books', 'toys'], count: 1, self: false }],
    [escalating({ after: 0, to: 'others' })],
  ])('may be %j', (rule) => {
    expect(approverFault(rule)).toBeUndefined();
    expect(checkedRule(rule, 'pay')).toEqual(rule);
  });

  it('of a later version in a log is one that nobody fulfils, and never the part of it that is known', () => {
    const later = [{ role: 'manager', region: 'EU' }, 'anybody', 7, null];
    const dora = toPrincipal({ id: 'dora', roles: ['manager', ''] }, 'by');
    const requester = toPrincipal('ada', 'by');
    for (const stored of [later[0], ...later.map((rule) => [rule])]) {
      const subject = { rules: readRules(stored), requester, userId: 'ada' };
      expect(permissionOf({ principal: dora, isStated: false }, subject)).toBe('WITHOUT_ROLE');
    }
    expect(readRules(undefined)).toEqual([]);
    expect(readRules('others')).toEqual(['others']);
  });

  it('of the requester asks nobody else, so its approvals may be remembered', () => {
    expect(
      [[], ['requester'], ['requester', 'others'], [{ role: 'manager' }]].map((rules) =>
        asksOthers(rules as never),
      ),
    ).toEqual([false, false, true, true]);
  });

  it('escalates at its time, and never where a time is unknown', () => {
    const rule = { role: 'manager', escalate: { after: '90s', to: 'others' } } as const;
    const escalated = ([asked, at]: readonly (number | undefined)[]) => escalatedRule(rule, asked, at);
    expect(
      [
        [100, 189],
        [100, undefined],
        [undefined, 500],
      ].map(escalated),
    ).toEqual([undefined, undefined, undefined]);
    expect(
      [
        [100, 190],
        [100, 500],
      ].map(escalated),
    ).toEqual(['others', 'others']);
    expect(escalatedRule('requester', 0, 1e9)).toBeUndefined();
    expect(escalatedRule({ role: 'manager' }, 0, 1e9)).toBeUndefined();
  });

  it.each<[unknown, number | undefined]>([
    [500, 0.5],
    [0, 0],
    [-1, undefined],
    [Infinity, undefined],
    ['250ms', 0.25],
    ['90s', 90],
    ['30m', 1_800],
    ['4h', 14_400],
    ['2d', 172_800],
    ['4', undefined],
    ['-4h', undefined],
    ['1.5h', undefined],
    [' 4h', undefined],
    ['4h4', undefined],
    ['1234567890s', undefined],
    [{}, undefined],
  ])('waits %j for %s seconds', (after, seconds) => {
    expect(secondsIn(after)).toBe(seconds);
  });
});
