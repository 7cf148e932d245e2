import { jest } from '@jest/globals';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  type PendingRequest,
  ConsoleLogger,
  createRunner,
  defineAgent,
  FunctionTool,
  type Runner,
  type Tool,
  Toolset,
} from '../index.js';

afterEach(() => jest.restoreAllMocks());

describe('a call that goes on with the answer to its request', () => {
  it.each(['refund', 'look'])('runs, be it of a toolset or of the agent itself: %s', async (name) => {
    const { runner, ran } = await start(name);

    const events = await eventsOf(runner.approve(await only(runner)));

    expect([ran, events.at(-1)?.text]).toEqual([[name], 'Done.']);
  });

  it('runs its own tools also where a toolset cannot be listed by then', async () => {
    const error = jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
    const { runner, ran, toolset } = await start('look');
    const fault = (toolset.fault = new Error('The server is gone.'));

    const [response] = await eventsOf(runner.approve(await only(runner)));

    expect([ran, response?.functionResponses[0]?.response]).toEqual([['look'], { result: 'done' }]);
    expect(error.mock.calls).toContainEqual([
      'a toolset could not be listed',
      { agent: 'clerk', toolset: 'FragileToolset', error: fault },
    ]);
  });

  it('is answered as that of an unknown tool if it is refused while its toolset cannot be listed', async () => {
    jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
    const { runner, ran, toolset } = await start('refund');
    toolset.fault = new Error('The server is gone.');

    const [response] = await eventsOf(runner.reject(await only(runner)));

    expect([ran, response?.functionResponses[0]?.response?.['error']]).toEqual([
      [],
      expect.stringContaining('"refund"'),
    ]);
  });
});

class FragileToolset extends Toolset {
  /** Thrown by the next listing. */
  fault: Error | undefined;

  constructor(private readonly tools: readonly Tool[]) {
    super();
  }

  listTools(): Tool[] {
    const { fault } = this;
    this.fault = undefined;
    if (fault !== undefined) throw fault;
    return [...this.tools];
  }
}

/** A runner whose call of that tool waits to be confirmed: `refund` is of a toolset, `look` of the agent. */
async function start(name: string) {
  const ran: string[] = [];
  const toolOf = (called: string) =>
    new FunctionTool({
      name: called,
      description: '',
      confirm: true,
      run: () => (ran.push(called), 'done'),
    });
  const toolset = new FragileToolset([toolOf('refund')]);
  const Clerk = defineAgent({ name: 'clerk', tools: [toolset, toolOf('look')] });
  const model = new ScriptedModel(callsTool(name, {}, 'c1'), says('Done.'));
  const runner = await createRunner(Clerk, { model });
  await eventsOf(runner.run({ sessionId: 's1', message: 'Go.' }));
  return { runner, ran, toolset };
}

async function only(runner: Runner): Promise<PendingRequest> {
  const [request] = await runner.pending({ sessionId: 's1' });
  if (request === undefined) throw new Error('nothing is pending');
  return request;
}
