import { Clock, ContainerModule, type ToolContext } from '@adorn/core';

import { ManualClock } from './manual.clock.js';
import { toolContext } from './tool-context.js';

class Orders {
  cancel(order: string, context: ToolContext): string {
    context.state.set('last_order', order);
    return `${order} of ${String(context.state.get('user:name'))} for ${context.userId}`;
  }

  async label(order: string, context: ToolContext): Promise<number> {
    return context.saveArtifact(`${order}.txt`, { text: 'To Ada' });
  }

  refund(context: ToolContext): string {
    return `refunded: ${JSON.stringify(context.confirmation?.payload)}`;
  }
}

describe('toolContext', () => {
  const orders = new Orders();

  it('is the context of a call, with the state that is given and what the method writes', async () => {
    await using context = await toolContext({
      state: { 'user:name': 'Ada', tier: 'gold', 'temp:draft': 1 },
      userId: 'ada',
      functionCallId: 'c-1',
    });

    expect(orders.cancel('7', context)).toBe('7 of Ada for ada');
    expect(context.state.get('last_order')).toBe('7');
    expect([context.state.get('tier'), context.state.get('temp:draft')]).toEqual(['gold', 1]);
    expect(context.functionCallId).toBe('c-1');
  });

  it('has no time limit, because a test may stand in a debugger', async () => {
    const clock = new ManualClock();
    const modules = [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))];
    await using context = await toolContext({ modules });

    await clock.advance(3_600_000);

    expect(context.signal.aborted).toBe(false);
    context.state.set('last_order', '7');
  });

  it('has backends, so that what a method saves can be loaded', async () => {
    await using context = await toolContext();

    await orders.label('7', context);

    expect(await context.loadArtifact('7.txt')).toMatchObject({ text: 'To Ada' });
  });

  it('has the confirmation that the test sets', async () => {
    await using context = await toolContext();
    context.confirmation = { hint: '', confirmed: true, payload: { amount: 5 } };

    expect(orders.refund(context)).toBe('refunded: {"amount":5}');
  });

  it('stops a method that asks a person, as a run does', async () => {
    await using context = await toolContext();

    expect(() => context.requestConfirmation('Really?')).toThrow('waits for an answer');
  });

  it('is cancelled by nothing, and leaves nothing open', async () => {
    const context = await toolContext();
    expect(context.signal.aborted).toBe(false);

    await context[Symbol.asyncDispose]();
    await context[Symbol.asyncDispose]();
  });

  it('rejects what no call can have', async () => {
    await expect(toolContext({ userId: '' })).rejects.toMatchObject({ code: 'NAME_INVALID' });
    await expect(toolContext({ functionCallId: 7 as never })).rejects.toMatchObject({ code: 'NAME_INVALID' });
    await expect(toolContext({ state: { fn: () => 1 } })).rejects.toHaveProperty('code');
    await expect(toolContext({ sate: {} } as never)).rejects.toMatchObject({ code: 'RUN_CONFIG_INVALID' });
  });
});
