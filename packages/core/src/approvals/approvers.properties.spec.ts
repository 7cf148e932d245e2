import { eventsOf } from '@adorn/testing';
import fc from 'fast-check';

import type { ApproverRule, PrincipalInput } from '../backend.js';
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from '../gates/property-runs.fixture.js';
import {
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  InMemorySessionService,
  type Runner,
  SessionService,
} from '../index.js';

const SEED = 20_261_128;
const RUNS = Math.ceil(PROPERTY_RUNS / 4);

describe('an answer of somebody who may not answer', () => {
  it(
    `never lets a tool run, whatever the rules, the arguments and the people are (${String(RUNS)} scripts)`,
    async () => {
      const seen = { ran: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(scripts, (script) => holdsFor(script, seen)),
        { numRuns: RUNS, seed: SEED },
      );
      // The property would hold of a tool that nobody may approve, too.
      expect(seen.ran).toBeGreaterThan(RUNS / 8);
      expect(seen.refused).toBeGreaterThan(RUNS / 2);
    },
    PROPERTY_TIMEOUT,
  );
});

interface Person {
  readonly id: string;
  readonly roles: readonly string[];
  readonly tenant?: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly actsFor?: string;
}

interface Step {
  readonly by: Person;
  readonly edit: number | undefined;
  readonly verb: 'approve' | 'reject';
  readonly isRemembered: boolean;
  /** The rules of the code as of this step: another deployment. */
  readonly deploys: number | undefined;
  /** Answers in a new runner, as after the end of a process. */
  readonly restarts: boolean;
}

interface Script {
  readonly requester: Person;
  /** The rules of calls of up to 100, and of more. */
  readonly deployments: readonly (readonly [low: ApproverRule, high: ApproverRule])[];
  readonly steps: readonly Step[];
}

const names = fc.constantFrom('ada', 'bob', 'mia', 'max');
const person: fc.Arbitrary<Person> = fc
  .record({
    id: names,
    roles: fc.subarray(['manager', 'director']),
    tenant: fc.option(fc.constantFrom('acme', 'acme', 'acme', 'globex'), { nil: undefined, freq: 3 }),
    team: fc.constantFrom('books', 'toys'),
    actsFor: fc.option(names, { nil: undefined, freq: 6 }),
  })
  .map(({ id, roles, tenant, team, actsFor }) => ({
    id,
    roles,
    attributes: { team },
    ...(tenant !== undefined && { tenant }),
    ...(actsFor !== undefined && { actsFor }),
  }));
const rule: fc.Arbitrary<ApproverRule> = fc.oneof(
  fc.constantFrom<ApproverRule>('requester', 'others'),
  fc.record(
    {
      role: fc.constantFrom('manager', 'director'),
      of: fc.constantFrom('books', 'toys'),
      count: fc.constantFrom(1, 2),
      self: fc.boolean(),
    },
    { requiredKeys: ['role'] },
  ),
);
const step: fc.Arbitrary<Step> = fc.record({
  by: person,
  edit: fc.option(fc.constantFrom(50, 500), { nil: undefined, freq: 3 }),
  verb: fc.constantFrom('approve' as const, 'approve' as const, 'approve' as const, 'reject' as const),
  isRemembered: fc.integer({ min: 0, max: 5 }).map((value) => value === 0),
  deploys: fc.option(fc.nat(1), { nil: undefined, freq: 3 }),
  restarts: fc.boolean(),
});
const scripts: fc.Arbitrary<Script> = fc.record({
  requester: person,
  deployments: fc.array(fc.tuple(rule, rule), { minLength: 2, maxLength: 2 }),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
});

/** Says, without the code under test, whether one approval is good for a call with these arguments. */
function isGood(by: Person, rule: ApproverRule, requester: Person): boolean {
  const ids = (one: Person) => [one.id, ...(one.actsFor === undefined ? [] : [one.actsFor])];
  const isSelf = ids(by).some((id) => ids(requester).includes(id));
  if (requester.tenant !== undefined && by.tenant !== requester.tenant) return false;
  if (rule === 'requester') return isSelf || ids(by).includes('ada');
  if (rule === 'others') return !isSelf;
  const isOfTeam = rule.of === undefined || by.attributes['team'] === rule.of;
  return by.roles.includes(rule.role) && isOfTeam && (!isSelf || rule.self === true);
}

const address = { appName: 'desk', userId: 'ada', sessionId: 's1' };

async function holdsFor(
  { requester, deployments, steps }: Script,
  seen: { ran: number; refused: number },
): Promise<void> {
  const sessions = new InMemorySessionService();
  let deployed = 0;
  const ran: number[] = [];
  const ruleFor = (cents: unknown): ApproverRule =>
    deployments[deployed]?.[Number(cents) > 100 ? 1 : 0] ?? 'others';
  const open = () => openDesk(sessions, ran, ruleFor);
  let runner = await open();
  await runner.call({ ...address, tool: 'pay', args: { cents: 500 }, by: requester });
  /** The approvals of the arguments as they stand, by the book. */
  let approvals: Person[] = [];
  /** Who has said yes for the rest of the session: it counts where the rules change, too. */
  const remembered: Person[] = [];
  let cents = 500;
  for (const { by, edit, verb, isRemembered, deploys, restarts } of steps) {
    const [request] = await runner.pending(address);
    if (request === undefined) break;
    if (deploys !== undefined) deployed = deploys;
    if (restarts) runner = await open();
    const options = { by: by as PrincipalInput, ...(edit !== undefined && { args: { cents: edit } }) };
    const remember = isRemembered ? ({ remember: 'session' } as const) : {};
    const before = await sessions.getSession(address);
    try {
      await eventsOf(
        verb === 'approve'
          ? runner.approve(request, { ...options, ...remember })
          : runner.reject(request, { by: options.by }),
      );
    } catch (error) {
      const { code } = error as { code: string };
      // Whoever approves what another one has changed has to name the arguments.
      const isUnnamed = verb === 'approve' && edit === undefined && cents !== 500;
      expect(code).toBe(isUnnamed && code === 'REQUEST_CHANGED' ? code : 'APPROVER_NOT_ALLOWED');
      seen.refused++;
      // Nothing was stored, and nothing ran.
      expect((await sessions.getSession(address))?.events.length).toBe(before?.events.length);
      expect([ran, await runner.pending(address)]).toEqual([[], [request]]);
      continue;
    }
    if (verb === 'reject') break;
    if (edit !== undefined && edit !== cents) approvals = [];
    cents = edit ?? cents;
    approvals.push(by);
    if (isRemembered) remembered.push(by);
    if (ran.length === 0) {
      // Asked again: what was approved before is void.
      const [next] = await runner.pending(address);
      if (next !== undefined && next.id !== request.id) approvals = [];
      continue;
    }
    const now = ruleFor(cents);
    const good = [...approvals, ...remembered].filter((one) => isGood(one, now, requester));
    const needed = typeof now === 'object' ? (now.count ?? 1) : 1;
    expect(ran).toEqual([cents]);
    expect(new Set(good.map(({ id }) => id)).size).toBeGreaterThanOrEqual(needed);
    seen.ran++;
    break;
  }
  expect(ran.length).toBeLessThanOrEqual(1);
}

async function openDesk(
  sessions: InMemorySessionService,
  ran: number[],
  ruleFor: (cents: unknown) => ApproverRule,
): Promise<Runner<unknown>> {
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object', properties: { cents: { type: 'number' } } },
    confirm: 'Pay?',
    approvers: ({ cents }) => ruleFor(cents),
    run: ({ cents }) => void ran.push(Number(cents)),
  });
  const storage = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  const Desk = defineAgent({ name: 'desk', model: null, tools: [pay] });
  return createRunner(Desk, { appName: 'desk', modules: [storage] });
}
