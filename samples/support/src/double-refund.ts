import { type EvalGate, evaluate, noDoubleEffect, noUnapprovedCall } from '@adorn/eval';
import { OfflineModel } from '@adorn/testing';
import { createRunner, type Runner } from 'adorn';

import { Payments } from './shop/payments.js';
import { Support } from './support.agent.js';

/** The events of the two turns: every run dies behind, or before, one of them. */
const EVENTS = 11;

/** A refund, with a customer who says yes. */
const SET = {
  evalSetId: 'double refund',
  evalCases: [
    {
      evalId: 'refund',
      conversation: ['I am ada.keller@example.com, postcode 10969', 'Refund 50 euros for W2611340'].map(
        (text) => ({ userContent: { role: 'user', parts: [{ text }] } }),
      ),
    },
  ],
};

/** The money went back once: what the payment provider says, and not what the log says. */
const onePayment: EvalGate = {
  name: 'one_payment',
  description: 'How far the number of payments is from one.',
  measure: ({ get }) => ({ value: Math.abs(get(Payments).count - 1) }),
};

/**
 * Plays a refund so often, and kills the process of each run behind or before another event of it.
 *
 * @param open the support desk. It is new in each run: so are its shop and its payments
 */
export function refundUnderKills(
  runs: number,
  open: () => Promise<Runner> = () => createRunner(Support, { model: new OfflineModel() }),
) {
  return evaluate(open, SET, {
    runs,
    metrics: [],
    gates: [
      noDoubleEffect({ tools: ['refund_order'], key: ({ args }) => args['orderId'] }),
      noUnapprovedCall(),
      onePayment,
    ],
    approve: () => true,
    faults: (_case, run) => {
      const event = 1 + (Math.floor(run / 2) % EVENTS);
      return [run % 2 === 0 ? { kind: 'kill', before: event } : { kind: 'kill', behind: event }];
    },
  });
}

/** `node build/double-refund.js 1000` */
async function main(): Promise<void> {
  const began = performance.now();
  const report = await refundUnderKills(Number(process.argv[2] ?? 100));
  const seconds = (performance.now() - began) / 1_000;
  const { caseResults, failedGates } = report;
  console.log(
    `${String(report.count('passed'))} of ${String(caseResults.length)} refunds made once, each with a kill, in ${seconds.toFixed(1)} s`,
  );
  if (report.status !== 'passed') console.log(`failed gates: ${failedGates.join(', ')}\n${String(report)}`);
}

if (import.meta.filename === process.argv[1]) await main();
