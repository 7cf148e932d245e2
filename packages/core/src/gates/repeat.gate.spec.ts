import { eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { FunctionToolFields } from '../backend.js';
import {
  ContainerModule,
  createRunner,
  defineAgent,
  FunctionTool,
  SessionService,
  type Tool,
  Toolset,
} from '../index.js';
import { address, CALL, crashed } from './crashed-session.fixture.js';
import { OUTCOME_UNKNOWN } from './outcome.js';

describe('an interrupted call of a tool of a toolset', () => {
  it.each<[string, Partial<FunctionToolFields>]>([
    ['only reads', { effect: 'read' }],
    ['is idempotent', { idempotent: true }],
    ['is idempotent for this call', { idempotent: () => true }],
  ])('runs again if the tool %s', async (_what, fields) => {
    const { response, ran } = await resumeWith(fields);

    expect([response, ran]).toEqual([{ result: 'paid' }, 1]);
  });

  it('has the result that reconcile finds', async () => {
    const { response, ran } = await resumeWith({ reconcile: () => 'paid before' });

    expect([response, ran]).toEqual([{ result: 'paid before' }, 0]);
  });

  it.each<[string, Partial<FunctionToolFields>]>([
    ['declares nothing', {}],
    ['writes', { effect: 'write' }],
    ['is not idempotent for this call', { idempotent: () => false }],
  ])('does not run again if the tool %s: its outcome is unknown', async (_what, fields) => {
    const { response, ran } = await resumeWith(fields);

    expect([response, ran]).toEqual([OUTCOME_UNKNOWN, 0]);
  });

  it.each<[string, FunctionToolFields['confirm'], boolean]>([
    ['always', true, true],
    ['for these arguments', () => true, true],
    ['not for these arguments', () => false, false],
  ])('is asked about if the tool asks first %s, and nobody has said yes', async (_when, confirm, asks) => {
    const { response, ran, pending } = await resumeWith({ effect: 'write', confirm });

    expect(ran).toBe(0);
    expect(pending.map(({ mayHaveTakenEffect }) => mayHaveTakenEffect)).toEqual(asks ? [undefined] : []);
    if (!asks) expect(response).toEqual(OUTCOME_UNKNOWN);
  });

  it.each<[string, () => Tool[]]>([
    [
      'cannot be listed',
      () => {
        throw new Error('down');
      },
    ],
    ['has no such tool any more', () => []],
  ])('has an unknown outcome if the toolset %s', async (_what, list) => {
    const { response } = await resumeWith({ effect: 'write' }, list);

    expect(response).toEqual(OUTCOME_UNKNOWN);
  });
});

/** Sends a message to a session whose process died during a call. */
async function resumeWith(fields: Partial<FunctionToolFields>, list?: () => Tool[]) {
  let ran = 0;
  const run = (): string => {
    ran++;
    return 'paid';
  };
  const pay = new FunctionTool({
    name: 'pay',
    description: '',
    parameters: { type: 'object' },
    run,
    ...fields,
  });
  class Bank extends Toolset {
    listTools(): Tool[] {
      return list === undefined ? [pay] : list();
    }
  }
  const store = await crashed(CALL);
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [new Bank()] }), {
    appName: 'clerk',
    model: new ScriptedModel(says('Done.')),
    modules: [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store))],
    config: { takeOverAfter: 0 },
  });
  const events = await eventsOf(runner.run({ ...address, message: 'And?' }));
  const [first] = events.flatMap(({ functionResponses }) => functionResponses);
  return { response: first?.response, ran, pending: await runner.pending(address) };
}
