import type { ApproverRule } from '../backend.js';
import {
  type AnsweringPrincipal,
  type AnswerSubject,
  answeringBy,
  answeringOf,
  approvedBy,
  hasApproved,
  isApproved,
  permissionOf,
  requireMayAnswer,
} from './answer-authority.js';
import { type Principal, toPrincipal } from './principal.js';

const ADA = toPrincipal('ada', 'by');
const MIA = manager('mia', ['books']);
const MAX = manager('max', ['toys']);
const DEE = toPrincipal('dee', 'by');

describe('the authority over answers', () => {
  it('counts one person once: under one id twice, by who acts for the person, and by two who act for one', () => {
    const subject = subjectOf({ role: 'manager', count: 2 });
    const [phone, watch] = ['phone', 'watch'].map((id) => manager(id, [], 'mia'));
    for (const people of [
      [MIA, MIA],
      [MIA, phone],
      [phone, MIA],
      [phone, watch],
    ]) {
      const approvals = people.map((one) => answering(one as Principal));
      expect(approvedBy(approvals, subject)).toEqual([people[0]]);
      expect(isApproved(approvals, subject)).toBe(false);
      expect(hasApproved(approvals.slice(0, 1), approvals[1] as AnsweringPrincipal)).toBe(true);
    }
    expect(isApproved([answering(MIA), answering(MAX)], subject)).toBe(true);
  });

  it('takes one of several teams, and nobody without a team', () => {
    const subject = subjectOf({ role: 'manager', of: ['books', 'food'] });
    expect(permissionOf(answering(MIA), subject)).toBe('allowed');
    for (const one of [MAX, manager('eve', []), manager('eve')])
      expect(permissionOf(answering(one), subject)).toBe('OTHER_TEAM');
  });

  it('lets a delegate with a right of its own answer as itself, so that both count', () => {
    const subject = subjectOf({ role: 'manager', count: 2 });
    const own = answering(MAX);
    expect(answeringBy(own, subject, [{ by: MIA, to: 'max' }])).toBe(own);
  });

  it('lets a delegate of two answer by the one of them who may', () => {
    const subject = subjectOf({ role: 'manager', of: 'toys' });
    const { principal } = answeringBy(answering(DEE), subject, [
      { by: MIA, to: 'dee' },
      { by: MAX, to: 'dee' },
    ]);
    expect(principal).toMatchObject({ id: 'dee', actsFor: 'max' });
  });

  it('lets a name that the application states pass nothing on, as it holds where it is stated', () => {
    const subject = { rules: [], requester: ADA, userId: 'ada' };
    const stated = answeringOf('grace', 'ada');
    expect(permissionOf(stated, subject)).toBe('allowed');
    const delegate = answeringBy(answering(DEE), subject, [{ by: stated.principal, to: 'dee' }]);
    expect(permissionOf(delegate, subject)).toBe('NOT_REQUESTER');
  });

  it.each<[ApproverRule, Principal, string]>([
    ['requester', DEE, 'only who began the run may answer it'],
    ['others', ADA, 'somebody else than who began the run has to answer it'],
    [{ role: 'manager' }, DEE, 'it needs a role that this principal does not have'],
    [{ role: 'manager', of: 'toys' }, MIA, 'it needs the role in another team'],
    ['others', { ...MIA, tenant: 'globex' }, 'who began the run is of another tenant'],
  ])('says why: rule %j', (rule, by, why) => {
    const requester = by.tenant === undefined ? ADA : { ...ADA, tenant: 'acme' };
    const refuse = () => {
      requireMayAnswer('r1', answering(by), { ...subjectOf(rule), requester });
    };
    expect(refuse).toThrow(`"${by.id}" may not answer the request "r1" this way: ${why}. Nothing was stored`);
    expect(refuse).toThrow('pass who answers as `by`, or let authenticate return { id, roles }');
  });
});

function manager(id: string, team?: readonly string[], actsFor?: string): Principal {
  return toPrincipal({ id, roles: ['manager'], ...(team && { attributes: { team } }), actsFor }, 'by');
}

function answering(principal: Principal): AnsweringPrincipal {
  return { principal, isStated: false };
}

/** A request of ada for somebody. */
function subjectOf(rule: ApproverRule): AnswerSubject {
  return { rules: [rule], requester: ADA, userId: 'ada' };
}
