import { ContainerModule } from 'inversify';

import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agent,
  createRunner,
  defineAgent,
  type Event,
  exitLoop,
  FunctionTool,
  InMemorySessionService,
  LlmAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
  SequentialAgent,
  SessionService,
  workflow,
} from '../../../index.js';
import { address, linesWhereverItDies } from '../runs/dying-process.fixture.js';

const publish = new FunctionTool({
  name: 'publish',
  description: '',
  confirm: true,
  idempotent: true,
  run: () => 'published',
});

@agent({ name: 'proofs', description: '', tools: [publish] })
class Proofs extends LlmAgent {}

@agent({ name: 'binding', description: '', subAgents: [defineAgent({ name: 'glue', tools: [publish] })] })
class Binding extends SequentialAgent {}

@agent({
  name: 'press',
  description: 'Prints.',
  delegation: 'call',
  tools: [publish, exitLoop()],
  subAgents: [Proofs, Binding],
})
class Press extends LlmAgent {}

@agent({ name: 'sales', description: '' })
class Sales extends LlmAgent {}

@agent({ name: 'desk', description: '', subAgents: [Press, Sales] })
class Desk extends LlmAgent {}

describe('an agent that is called', () => {
  it('works on the conversation, and gives it back to its parent', async () => {
    const { runner, model } = await start(to('press'), says('Printed.'), says('All is done.'));

    const result = await runner.run({ ...address, message: 'Print it.' });

    expect(linesOf(result.events)).toEqual([
      'desk: call transfer_to_agent',
      'desk: response, to press',
      'desk/press: Printed.',
      'desk: All is done.',
    ]);
    expect(result).toMatchObject({ status: 'answered', text: 'All is done.' });
    expect(textsOf(model.requests[1])).toContain('Print it.');
    expect(textsOf(model.requests[2])).toContain('[press] said: Printed.');
  });

  it('is told apart from those who take the conversation over', async () => {
    const { runner, model } = await start(says('Hello.'));

    await say(runner, 'Hi.');

    const instruction = JSON.stringify(model.requests[0]?.config.systemInstruction);
    expect(instruction).toContain('- press: Prints. (returns the conversation to you when it is done)');
    expect(instruction).toMatch(/- sales: no description(\\n|")/);
  });

  it('does not have the next message', async () => {
    const { runner } = await start(to('press'), says('Printed.'), says('Done.'), says('Desk again.'));
    await say(runner, 'Print it.');

    expect(linesOf(await say(runner, 'Thanks.'))).toEqual(['desk: Desk again.']);
  });

  it('may be called again in the same run', async () => {
    const steps = [to('press'), says('One.'), to('press'), says('Two.'), says('Done.')];
    const { runner } = await start(...steps);

    const lines = linesOf(await say(runner, 'Print two.')).filter((line) => !line.includes('transfer'));

    expect(lines).toEqual([
      ...['desk: response, to press', 'desk/press: One.'],
      ...['desk: response, to press', 'desk/press: Two.', 'desk: Done.'],
    ]);
  });

  it('waits for a yes, and its parent goes on in another process', async () => {
    const { runner, open } = await start(to('press'), callsTool('publish'), says('Printed.'), says('Done.'));
    const paused = await runner.run({ ...address, message: 'Print it.' });
    expect(paused).toMatchObject({ status: 'paused', pending: [{ path: 'desk/press', tool: 'publish' }] });

    const events = await approve(await open());

    expect(linesOf(events)).toEqual(['desk/press: response', 'desk/press: Printed.', 'desk: Done.']);
  });

  it('is answered long after, and its parent goes on then', async () => {
    const { runner } = await start(
      ...[to('press'), callsTool('publish'), says('Ada is asked.'), says('Printed.'), says('Done.')],
    );
    await say(runner, 'Print it.');
    expect(linesOf(await say(runner, 'What now?'))).toEqual(['desk: Ada is asked.']);

    expect(linesOf(await approve(runner)).slice(1)).toEqual(['desk/press: Printed.', 'desk: Done.']);
  });

  it('waits with the workflow that took over from it, and its parent goes on after the answer', async () => {
    const { runner, open } = await start(
      ...[to('press'), to('binding'), callsTool('publish'), says('Glued.'), says('Done.')],
    );
    const paused = await runner.run({ ...address, message: 'Print it.' });
    expect(paused).toMatchObject({ status: 'paused', pending: [{ path: 'desk/press/binding/glue' }] });

    const events = await approve(await open());

    expect(linesOf(events)).toEqual([
      'desk/press/binding/glue: response',
      'desk/press/binding/glue: Glued.',
      'desk: Done.',
    ]);
  });

  it('writes the same log, with all above and below it, wherever its process dies', async () => {
    const lines = await linesWhereverItDies((sessions) =>
      createRunner(Desk, {
        model: new Script(),
        modules: [sessions],
        config: { takeOverAfter: 0 },
      }),
    );

    expect(lines).toContain('desk/press/proofs: response publish');
    expect(lines.at(-1)).toBe('desk: desk is done.');
  });

  it('hands over below itself only, and its parent gets the conversation back from there', async () => {
    const { runner, model } = await start(
      ...[to('press'), to('sales'), to('proofs'), to('desk'), says('Proofs read.'), says('Done.')],
    );

    const events = await say(runner, 'Print it.');

    expect(linesOf(events).filter((line) => !line.includes('call'))).toEqual([
      'desk: response, to press',
      'desk/press: response',
      'desk/press: response, to proofs',
      'desk/press/proofs: response',
      'desk/press/proofs: Proofs read.',
      'desk: Done.',
    ]);
    expect(JSON.stringify(model.requests[2]?.contents)).toContain('unknown agent sales');
    expect(JSON.stringify(model.requests[4]?.contents)).toContain('unknown agent desk');
  });

  it('is reached by its parent alone', async () => {
    const { runner, model } = await start(to('sales'), to('press'), says('Sold.'));

    const lines = linesOf(await say(runner, 'Sell it.'));

    expect(lines.at(-1)).toBe('desk/sales: Sold.');
    expect(JSON.stringify(model.requests[2]?.contents)).toContain('transfer not performed');
    expect(JSON.stringify(model.requests[1]?.config.systemInstruction)).not.toContain('- press');
  });

  it('that fails is told to the model of its parent, whose answer is the answer of the run', async () => {
    const failure: ScriptedStep = () => {
      throw new Error('Out of paper.');
    };
    const { runner, model } = await start(to('press'), failure, says('No paper, sorry.'));

    const result = await runner.run({ ...address, message: 'Print it.' });

    expect(result).toMatchObject({ status: 'answered', text: 'No paper, sorry.' });
    expect(textsOf(model.requests[2])).toContain('press could not finish: Out of paper.');
  });

  it('that failed before the process died is told to the model of its parent in the next one', async () => {
    const failure: ScriptedStep = () => {
      throw new Error('Out of paper.');
    };
    const { runner, model, open } = await start(to('press'), failure, says('No paper, sorry.'));
    for await (const { errorCode } of runner.run({ ...address, message: 'Print it.' }))
      if (errorCode !== undefined) break;

    const events = await eventsOf((await open()).resume(address));

    expect(events.at(-1)?.text).toBe('No paper, sorry.');
    expect(textsOf(model.requests[2])).toContain('press could not finish: Out of paper.');
  });

  it('ends the run of its parent where it is cancelled', async () => {
    const cancelling = new AbortController();
    const { runner } = await start(to('press'), () => {
      cancelling.abort();
      return says('Too late.');
    });
    const events = await eventsOf(
      runner.run({ ...address, message: 'Print it.', signal: cancelling.signal }),
    );
    expect(events.at(-1)).toMatchObject({ errorCode: 'CANCELLED' });
  });

  it('gives control back to its parent where it escalates, and ends a loop above both', async () => {
    const giveUp = new FunctionTool({
      name: 'give_up',
      description: '',
      run: (_args, { actions }) => {
        actions.escalate = true;
        return 'I cannot.';
      },
    });
    const tree = (): ReturnType<typeof defineAgent> => {
      const press = defineAgent({
        name: 'press',
        description: 'Prints.',
        delegation: 'call',
        tools: [giveUp],
      });
      return defineAgent({ name: 'desk', description: '', subAgents: [press] });
    };
    const script = (): ScriptedModel =>
      new ScriptedModel(to('press'), callsTool('give_up'), says('I take over.'));
    await using alone = await createRunner(tree(), { model: script() });
    expect(linesOf(await say(alone, 'Print it.')).slice(-2)).toEqual([
      'desk/press: response',
      'desk: I take over.',
    ]);

    await using looped = await createRunner(workflow.loop(tree(), { name: 'again' }), { model: script() });
    expect(linesOf(await say(looped, 'Print it.')).at(-1)).toBe('again/desk/press: response');
  });

  it('is asked for beside a call that waits, and called when that is answered', async () => {
    @agent({ name: 'desk', description: '', tools: [publish], subAgents: [Press] })
    class Busy extends LlmAgent {}
    const both = callsTools(
      { name: 'publish', args: {} },
      { name: 'transfer_to_agent', args: { agent_name: 'press' } },
    );
    const model = new ScriptedModel(both, says('Printed.'), says('Done.'));
    await using runner = await createRunner(Busy, { model });
    await say(runner, 'Go.');

    expect(linesOf(await approve(runner))).toEqual([
      'desk: response, to press',
      'desk/press: Printed.',
      'desk: Done.',
    ]);
  });

  it('is invoked as any other by a workflow', async () => {
    @agent({ name: 'all', description: '', subAgents: [Press] })
    class All extends SequentialAgent {}
    await using runner = await createRunner(All, { model: new ScriptedModel(says('Printed.')) });

    expect(await runner.ask('Print it.', address)).toBe('Printed.');
  });
});

describe('the option delegation', () => {
  it('takes handoff and call', async () => {
    @agent({ delegation: 'transfer' as never, description: '' })
    class Wrong extends LlmAgent {}

    await expect(createRunner(Wrong, { model: new ScriptedModel() })).rejects.toMatchObject({
      code: 'AGENT_CONFIG_INVALID',
      message: expect.stringContaining('delegation is "transfer". Valid: handoff, call.') as string,
    });
  });

  it('is for LLM agents', async () => {
    @agent({ delegation: 'call', description: '', subAgents: [Sales] })
    class Flow extends SequentialAgent {}

    await expect(createRunner(Flow, { model: new ScriptedModel() })).rejects.toMatchObject({
      code: 'AGENT_CONFIG_INVALID',
    });
  });
});

/** The same answers whichever process asks. */
class Script extends Model {
  readonly name = 'script';

  async *generate({ contents, config }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    await Promise.resolve();
    const instruction = JSON.stringify(config.systemInstruction).replaceAll('\\', '');
    const who = /Your name is "(\w+)"/.exec(instruction)?.[1] ?? '';
    const heard = JSON.stringify(contents);
    const next = { desk: to('press'), press: to('proofs'), proofs: callsTool('publish') }[who];
    const isDone =
      who === 'proofs'
        ? heard.includes('"published"')
        : heard.includes(who === 'desk' ? 'proofs is done' : 'never');
    yield (isDone ? says(`${who} is done.`) : next) as ModelResponse;
  }
}

function to(name: string): ReturnType<typeof callsTool> {
  return callsTool('transfer_to_agent', { agent_name: name });
}

async function start(...steps: readonly ScriptedStep[]) {
  const model = new ScriptedModel(...steps);
  const sessions = new InMemorySessionService();
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
  const open = () => createRunner(Desk, { model, modules });
  return { runner: await open(), model, open };
}

function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message }));
}

async function approve(runner: Runner): Promise<Event[]> {
  const [request] = await runner.pending(address);
  if (request === undefined) throw new Error('Nothing is pending.');
  return eventsOf(runner.approve(request));
}

function linesOf(events: readonly Event[]): string[] {
  return events
    .filter(({ pending }) => pending.length === 0)
    .map(({ nodeInfo, functionCalls, functionResponses, text, actions }) => {
      const said = [
        ...functionCalls.map(({ name = '' }) => `call ${name}`),
        ...(functionResponses.length > 0 ? ['response'] : []),
        ...(text === '' ? [] : [text]),
        ...(actions.transferToAgent === undefined ? [] : [`to ${actions.transferToAgent}`]),
      ];
      return `${nodeInfo?.path ?? 'user'}: ${said.join(', ')}`;
    });
}

function textsOf(request: Pick<ModelRequest, 'contents'> | undefined): (string | undefined)[] {
  return request?.contents.flatMap(({ parts = [] }) => parts.map(({ text }) => text)) ?? [];
}
