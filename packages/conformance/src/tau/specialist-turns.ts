import type { GoldStep } from './gold-tasks.js';

/** A call as the model makes it. */
export type ModelCall = Pick<GoldStep, 'name' | 'args'>;

export const TRANSFER = 'transfer_to_agent';

/** The specialists of the triage agent, by the names of the tools that only they have. */
const SPECIALISTS: readonly (readonly [name: string, tools: RegExp])[] = [
  ['customers', /_user_/],
  ['pending_orders', /_pending_order/],
  ['delivered_orders', /_delivered_order/],
];

/** One call in each turn, with a transfer before each call that the agent of the call before has no tool for. */
export function specialistTurns(steps: readonly ModelCall[]): ModelCall[][] {
  let holder: string | undefined;
  return steps.flatMap(({ name, args }) => {
    const [owner = holder ?? 'customers'] = SPECIALISTS.find(([, tools]) => tools.test(name)) ?? [];
    const transfers = owner === holder ? [] : [[{ name: TRANSFER, args: { agent_name: owner } }]];
    holder = owner;
    return [...transfers, [{ name, args }]];
  });
}
