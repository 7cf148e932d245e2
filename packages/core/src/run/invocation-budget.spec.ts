import { InvocationBudget } from './budget.js';
import { DEFAULT_RUN_CONFIG, overlayRunConfig, type RunConfig } from './run-config.js';

describe('InvocationBudget', () => {
  it('gives out as many model calls as are allowed, and no more ever after', () => {
    const budget = budgetOf({ maxLlmCalls: 2 });

    expect([1, 2, 3, 4].map(() => budget.spendLlmCall(CLERK))).toEqual([
      undefined,
      undefined,
      'LLM_CALL_LIMIT',
      'LLM_CALL_LIMIT',
    ]);
  });

  it('gives out as many transfers as are allowed, apart from the model calls', () => {
    const budget = budgetOf({ maxTransfers: 1, maxLlmCalls: 1 });

    expect([budget.spendTransfer(), budget.spendLlmCall(CLERK)]).toEqual([true, undefined]);
    expect([budget.spendTransfer(), budget.spendLlmCall(CLERK)]).toEqual([false, 'LLM_CALL_LIMIT']);
  });

  it('gives out nothing where nothing is allowed', () => {
    const budget = budgetOf({ maxLlmCalls: 0, maxTransfers: 0 });

    expect([budget.spendLlmCall(CLERK), budget.spendTransfer()]).toEqual(['LLM_CALL_LIMIT', false]);
  });

  it('ends at the last invalid call in a row that is allowed', () => {
    const budget = budgetOf({ maxInvalidCalls: 3 });

    expect([1, 2, 3].map(() => budget.spendInvalidCalls(1, 0))).toEqual([true, true, false]);
  });

  it('counts an answer once, however many of its calls are invalid', () => {
    expect(budgetOf({ maxInvalidCalls: 3 }).spendInvalidCalls(3, 0)).toBe(true);
  });

  it('lets good calls pass where no invalid one is allowed', () => {
    const budget = budgetOf({ maxInvalidCalls: 0 });

    expect([budget.spendInvalidCalls(0, 1), budget.spendInvalidCalls(1, 0)]).toEqual([true, false]);
  });

  it('counts the invalid calls of each branch alone', () => {
    const budget = budgetOf({ maxInvalidCalls: 2 });

    expect([
      budget.spendInvalidCalls(1, 0, 'a.0'),
      budget.spendInvalidCalls(1, 0, 'a.1'),
      budget.spendInvalidCalls(1, 0),
      budget.spendInvalidCalls(0, 1, 'a.1'),
      budget.spendInvalidCalls(1, 0, 'a.1'),
      budget.spendInvalidCalls(1, 0, 'a.0'),
    ]).toEqual([true, true, true, true, true, false]);
  });

  it('begins to count invalid calls anew after a turn with a good one', () => {
    const budget = budgetOf({ maxInvalidCalls: 2 });

    expect([
      budget.spendInvalidCalls(1, 0),
      budget.spendInvalidCalls(5, 1),
      budget.spendInvalidCalls(1, 0),
      budget.spendInvalidCalls(0, 0),
      budget.spendInvalidCalls(1, 0),
    ]).toEqual([true, true, true, true, false]);
  });
});

function budgetOf(config: RunConfig): InvocationBudget {
  return new InvocationBudget(overlayRunConfig(DEFAULT_RUN_CONFIG, config));
}

const CLERK = { path: 'clerk', branch: undefined };
