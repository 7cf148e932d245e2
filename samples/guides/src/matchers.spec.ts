import '@adorn/testing/jest';

import { callsTool, ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, defineTool } from 'adorn';

const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  parameters: { type: 'object', properties: { order: { type: 'string' }, euros: { type: 'number' } } },
  confirm: ({ order, euros }) => `Refund ${String(euros)} EUR for ${String(order)}?`,
  run: ({ euros }) => ({ refunded: euros }),
});

describe('the clerk', () => {
  it('asks before it refunds', async () => {
    const clerk = defineAgent({ name: 'clerk', description: 'Refunds orders.', tools: [refund] });
    const model = new ScriptedModel(callsTool('refund', { order: 'A-17', euros: 80 }));
    await using runner = await createRunner(clerk, { model });

    const result = await runner.run({ userId: 'ada', message: 'Refund 80 euros for A-17' });

    expect(result).toHaveCalledTool('refund', { order: 'A-17' });
    expect(result).toBeWaitingFor({ kind: 'confirmation', hint: 'Refund 80 EUR for A-17?' });
    expect(result).not.toHaveToolResult('refund', { refunded: 80 });
    expect(result).not.toEmit({ author: 'clerk', text: expect.stringContaining('done') });
    expect(result).toStayWithin({ modelCalls: 1, toolCalls: 1 });
  });
});
