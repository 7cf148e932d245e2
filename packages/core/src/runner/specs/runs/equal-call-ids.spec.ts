import { callsTool, callsTools, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  agentTool,
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  InMemorySessionService,
  workflow,
  type Part,
  type PendingRequest,
  type Runner,
  SessionService,
} from '../../../index.js';

const address = { userId: 'ada', sessionId: 's1' };

describe('calls of several agents that their models give one id', () => {
  const trees = {
    'agents in parallel': ({ alice, bob }: Workers) => workflow.parallel(alice, bob, { name: 'both' }),
    'agents that are tools': ({ alice, bob }: Workers) =>
      defineAgent({
        name: 'boss',
        tools: [agentTool(alice), agentTool(bob)],
        model: new ScriptedModel(
          callsTools(
            { name: 'alice', args: { request: 'Pay.' } },
            { name: 'bob', args: { request: 'Pay.' } },
          ),
          says('Done.'),
        ),
      }),
  };

  it.each(Object.entries(trees))('each run by its own approval: %s', async (_, treeOf) => {
    const { runner, ran } = await pause(treeOf);
    const [ofAlice, ofBob] = await requestsOf(runner);

    await eventsOf(runner.approve(ofBob));
    expect(ran).toEqual(['bob']);
    await eventsOf(runner.approve(ofAlice));

    expect(ran).toEqual(['bob', 'alice']);
    expect(await runner.pending(address)).toEqual([]);
  });

  it.each(Object.entries(trees))('a refusal refuses only its own: %s', async (_, treeOf) => {
    const { runner, ran } = await pause(treeOf);
    const [ofAlice, ofBob] = await requestsOf(runner);

    await eventsOf(runner.reject(ofAlice));
    await eventsOf(runner.approve(ofBob));

    expect(ran).toEqual(['bob']);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('is refused where the log of another kit has two open calls of one id, and nothing runs', async () => {
    const { runner, ran } = await startOn(await foreignLog());

    for (const request of await requestsOf(runner)) {
      for (const answer of [runner.approve(request), runner.reject(request)])
        await expect(eventsOf(answer)).rejects.toMatchObject({
          code: 'CALL_AMBIGUOUS',
          message: expect.stringMatching(
            /"call_0".*Nothing was run.*Undo the turn with runner\.rewind/,
          ) as unknown,
        });
    }

    expect(ran).toEqual([]);
    expect(await runner.pending(address)).toHaveLength(2);
  });
});

describe('a call that its model gives an id like those of the framework', () => {
  it.each(['_adk_toolset_auth_x', 'adk-1'])('runs when it is approved (%s)', async (id) => {
    const ran: string[] = [];
    const model = new ScriptedModel(callsTool('pay', {}, id), says('Done.'));
    const runner = await createRunner(worker('clerk', ran, model));
    const { pending } = await runner.run({ ...address, message: 'Pay.' });

    const result = await runner.approve(pending[0] as PendingRequest);

    expect([result.text, ran]).toEqual(['Done.', ['clerk']]);
    expect(pending[0]?.functionCallId).not.toBe(id);
  });
});

interface Workers {
  readonly alice: ReturnType<typeof worker>;
  readonly bob: ReturnType<typeof worker>;
}

/** An agent whose model calls the gated tool `pay` once, under the id `call_0`. */
function worker(name: string, ran: string[], model = payingModel()) {
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    confirm: true,
    parameters: { type: 'object', properties: {} },
    run: () => {
      ran.push(name);
      return { by: name };
    },
  });
  return defineAgent({ name, description: name, tools: [pay], model });
}

function payingModel(): ScriptedModel {
  return new ScriptedModel(callsTool('pay', {}, 'call_0'), says('Paid.'));
}

async function pause(treeOf: (workers: Workers) => Parameters<typeof createRunner>[0]) {
  const ran: string[] = [];
  const runner = await createRunner(treeOf({ alice: worker('alice', ran), bob: worker('bob', ran) }));
  await eventsOf(runner.run({ ...address, message: 'Pay.' }));
  return { runner, ran };
}

/** A log that another kit has written: both agents have asked about a call of the id `call_0`. */
async function foreignLog(): Promise<InMemorySessionService> {
  const sessions = new InMemorySessionService();
  const session = await sessions.createSession({ appName: 'both', ...address });
  const call = { id: 'call_0', name: 'pay', args: {} };
  const asking = (id: string) => ({
    id,
    name: 'adk_request_confirmation',
    args: { originalFunctionCall: call },
  });
  const append = async (name: string, part: Part, longRunningToolIds: string[] = []) => {
    const content = { role: part.functionResponse === undefined ? 'model' : 'user', parts: [part] };
    const nodeInfo = { path: `both/${name}` };
    await sessions.appendEvent(
      session,
      new Event({ invocationId: 'e-1', author: name, nodeInfo, content, longRunningToolIds }),
    );
  };
  for (const name of ['alice', 'bob']) await append(name, { functionCall: call });
  for (const name of ['alice', 'bob'])
    await append(name, { functionCall: asking(`ask-${name}`) }, [`ask-${name}`]);
  return sessions;
}

async function startOn(sessions: InMemorySessionService) {
  const ran: string[] = [];
  const tree = workflow.parallel(worker('alice', ran), worker('bob', ran), { name: 'both' });
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
  return { runner: await createRunner(tree, { modules, appName: 'both' }), ran };
}

/** The requests of alice and of bob. */
async function requestsOf(runner: Runner<unknown>): Promise<[PendingRequest, PendingRequest]> {
  const requests = await runner.pending(address);
  const of = (name: string) => requests.find(({ path }) => path?.endsWith(name)) as PendingRequest;
  return [of('alice'), of('bob')];
}
