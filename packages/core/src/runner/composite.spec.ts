import { ContainerModule } from 'inversify';

import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  BaseAgent,
  createRunner,
  type Event,
  FunctionTool,
  InMemorySessionService,
  type InvocationContext,
  LlmAgent,
  type Runner,
  SessionService,
} from '../index.js';

const address = { userId: 'ada', sessionId: 's1' };

describe('a composite whose sub-agent pauses', () => {
  it('goes on with the steps behind it once the answer is there', async () => {
    const { runner, model, ran } = await start(
      says('Drafted.'),
      callsTool('publish'),
      says('Published.'),
      says('Told.'),
    );
    const before = await say(runner);

    const after = await approve(runner);

    expect(before.map(pathAndText)).toEqual([
      ['pipeline/draft', 'Drafted.'],
      ['pipeline/release', 'call publish'],
      ['pipeline/release', 'call adk_request_confirmation'],
      ['pipeline/release', 'response publish'],
    ]);
    expect(after.map(pathAndText)).toEqual([
      ['pipeline/release', 'response publish'],
      ['pipeline/release', 'Published.'],
      ['pipeline/tell', 'Told.'],
      ['pipeline', 'Drafted. Published. Told.'],
    ]);
    expect([ran, model.requests.length]).toEqual([['publish'], 4]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('says where it waits', async () => {
    const { runner } = await start(says('Drafted.'), callsTool('publish'));
    await say(runner);

    expect((await runner.pending(address)).map(({ path }) => path)).toEqual(['pipeline/release']);
  });

  it('hears the next message itself, from its top', async () => {
    const { runner } = await start(
      ...[says('Drafted.'), says('Released.'), says('Told.')],
      ...[says('Drafted again.'), says('Released again.'), says('Told again.')],
    );
    await say(runner);

    const events = await say(runner);

    expect(events.map(pathAndText).at(0)).toEqual(['pipeline/draft', 'Drafted again.']);
    expect(events.at(-1)?.text).toBe('Drafted again. Released again. Told again.');
  });

  it('goes on in another runner over the same sessions', async () => {
    const sessions = new InMemorySessionService();
    const first = await start(sessions, says('Drafted.'), callsTool('publish'));
    await say(first.runner);
    await first.runner.close();
    const second = await start(sessions, says('Published.'), says('Told.'));

    const events = await approve(second.runner);

    expect([events.at(-1)?.text, second.ran]).toEqual(['Drafted. Published. Told.', ['publish']]);
  });
});

function pathAndText({ nodeInfo, text, functionCalls, functionResponses, errorCode }: Event) {
  const [call] = functionCalls;
  const [response] = functionResponses;
  const said =
    (call && `call ${call.name ?? ''}`) ??
    (response && `response ${response.name ?? ''}`) ??
    errorCode ??
    text;
  return [nodeInfo?.path, said];
}

async function start(...given: readonly (ScriptedStep | InMemorySessionService)[]) {
  const ran: string[] = [];
  const publish = new FunctionTool({
    name: 'publish',
    description: '',
    confirm: true,
    run: () => ran.push('publish'),
  });
  @agent({ name: 'draft', description: '' })
  class Draft extends LlmAgent {}
  @agent({ name: 'release', description: '', tools: [publish] })
  class Release extends LlmAgent {}
  @agent({ name: 'tell', description: '' })
  class Tell extends LlmAgent {}
  @agent({ name: 'pipeline', description: '', subAgents: [Draft, Release, Tell] })
  class Pipeline extends BaseAgent {
    async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
      const draft = yield* context.invoke(Draft);
      const release = yield* context.invoke(Release);
      const told = yield* context.invoke(Tell);
      const text = [draft, release, told].map((result) => result.text).join(' ');
      yield context.event({ author: 'pipeline', content: { role: 'model', parts: [{ text }] } });
    }
  }
  const sessions = given.find((one) => one instanceof InMemorySessionService) ?? new InMemorySessionService();
  const bindings = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  const model = new ScriptedModel(
    ...given.filter((one): one is ScriptedStep => !(one instanceof InMemorySessionService)),
  );
  return { ran, model, runner: await createRunner(Pipeline, { model, modules: [bindings] }) };
}

function say(runner: Runner): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message: 'Go.' }));
}

async function approve(runner: Runner): Promise<Event[]> {
  const [request] = await runner.pending(address);
  if (request === undefined) throw new Error('Nothing is pending.');
  return eventsOf(runner.approve(request));
}
