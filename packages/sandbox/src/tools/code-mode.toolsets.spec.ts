import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  type AuthConfig,
  ContainerModule,
  createRunner,
  defineAgent,
  defineTool,
  InMemorySessionService,
  Logger,
  type PendingRequest,
  type Runner,
  SessionService,
  StaticToolset,
  tool,
  type Tool,
  toolbox,
  Toolset,
} from '@adorn/core';
import { QuietLogger } from '../../../core/src/gates/quiet-services.fixture.js';
import { address } from '../../../core/src/runner/specs/runs/dying-process.fixture.js';
import { VmExecutor } from './code-mode.fixture.js';
import { codeMode } from './code-mode.tool.js';

describe('a toolset among the tools of codeMode', () => {
  it('has its tools declared as functions, and called by scripts', async () => {
    const { runner, model, made } = await open(
      new Shop(),
      'return [await look_up({ id: 1 }), await own({ id: 2 })];',
    );
    const events = await eventsOf(runner.run({ ...address, message: 'Go.' }));

    expect(declarationsIn(model)[0]).toContain(
      'declare function look_up(args: { id: number }): Promise<any>;',
    );
    expect(declarationsIn(model)[0]).toContain('declare function own(args: { id: number }): Promise<any>;');
    expect(responseIn(events)).toMatchObject({ outcome: 'OUTCOME_OK', result: ['look_up 1', 'own 2'] });
    expect(made).toEqual(['look_up 1', 'own 2']);
  });

  it('pauses a script at a tool that is to be confirmed, and another process goes on', async () => {
    const code = 'return [await look_up({ id: 1 }), await pay({ id: 2 }), await own({ id: 3 })];';
    const { runner, restart, made } = await open(new Shop(), code);
    await eventsOf(runner.run({ ...address, message: 'Go.' }));
    expect(made).toEqual(['look_up 1']);

    const next = await restart();
    const events = await eventsOf(next.approve(await onlyRequest(next)));

    expect(responseIn(events)).toMatchObject({ result: ['look_up 1', 'pay 2', 'own 3'] });
    expect(made).toEqual(['look_up 1', 'pay 2', 'own 3']);
  });

  it('is asked access for by a script, whose functions are there once it is given', async () => {
    const { runner, model, made } = await open(new Shop(AUTH), 'return await look_up({ id: 1 });');
    await eventsOf(runner.run({ ...address, message: 'Go.' }));
    const request = await onlyRequest(runner);
    expect(request.kind).toBe('credential');
    const events = await eventsOf(runner.supply(request, 'k-1'));

    expect(declarationsIn(model)[0]).toMatch(
      /\n\nThe functions of Shop are known once the user has given access\. Run an empty script to ask for it\.",/,
    );
    expect(declarationsIn(model)[0]).not.toContain('look_up');
    expect(declarationsIn(model)[1]).toContain('declare function look_up');
    expect(responseIn(events)).toMatchObject({ outcome: 'OUTCOME_OK', result: 'look_up 1' });
    expect(made).toEqual(['look_up 1']);
  });

  it('leaves the other functions to scripts if it cannot be listed', async () => {
    const { runner, model } = await open(new Broken(), 'return await own({ id: 1 });');
    const events = await eventsOf(runner.run({ ...address, message: 'Go.' }));

    expect(declarationsIn(model)[0]).toMatch(/declare function own.*;",/);
    expect(responseIn(events)).toMatchObject({ outcome: 'OUTCOME_OK', result: 'own 1' });
  });

  it('ends the script if it is required and cannot be listed', async () => {
    const { runner, made } = await open(new Broken(true), 'return await own({ id: 1 });');
    const events = await eventsOf(runner.run({ ...address, message: 'Go.' }));

    expect(responseIn(events)).toEqual({
      error: expect.stringContaining('The toolset Broken failed') as string,
    });
    expect(made).toEqual([]);
  });

  it('may not be a toolbox that unfolds, whose tools no script could know', async () => {
    const clerk = defineAgent({
      name: 'clerk',
      model: new ScriptedModel(says('Hello.')),
      tools: [codeMode(new VmExecutor(), { tools: [Depot] })],
    });

    await expect(createRunner(clerk)).rejects.toMatchObject({
      code: 'TOOL_CONFIG_INVALID',
      message:
        'The tool "run_script": a toolbox that unfolds, or searchable, is among its tools, and scripts have all their functions from the ' +
        'start. Pass a class without `unfold`, and sources without `searchable`.',
    });
  });
});

const AUTH: AuthConfig = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'shop' };

class Shop extends StaticToolset {
  readonly made: string[] = [];

  constructor(override readonly auth?: AuthConfig) {
    super();
    this.push(toolNamed('look_up', this.made), toolNamed('pay', this.made, true));
  }
}

@toolbox({ unfold: true, description: 'Stocks.' })
class Depot {
  @tool({ description: 'Counts.', parameters: { type: 'object' } })
  count() {
    return 1;
  }
}

class Broken extends Toolset {
  readonly made: string[] = [];
  override readonly listing;

  constructor(required = false) {
    super();
    this.listing = { required };
  }

  listTools(): never {
    throw new Error('no such server');
  }
}

function toolNamed(name: string, made: string[], confirm = false): Tool {
  return defineTool({
    name,
    description: `Does ${name}.`,
    confirm,
    parameters: {
      type: 'object',
      properties: { id: { type: 'number' } },
      required: ['id'],
      additionalProperties: false,
    },
    run: ({ id }) => {
      made.push(`${name} ${String(id)}`);
      return `${name} ${String(id)}`;
    },
  });
}

async function open(toolset: Shop | Broken, code: string) {
  const { made } = toolset;
  const sessions = new InMemorySessionService();
  const model = new ScriptedModel(callsTool('run_script', { code }), says('Done.'));
  const tools = [codeMode(new VmExecutor(), { tools: [toolset, toolNamed('own', made)] })];
  const bindings = new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(sessions);
    bind(Logger).toConstantValue(new QuietLogger());
  });
  const restart = () => createRunner(defineAgent({ name: 'clerk', model, tools }), { modules: [bindings] });
  return { runner: await restart(), restart, model, made };
}

async function onlyRequest(runner: Runner): Promise<PendingRequest> {
  const requests = await runner.pending(address);
  expect(requests).toHaveLength(1);
  return requests[0] as PendingRequest;
}

/** What the model has read of its functions, request by request. */
function declarationsIn({ requests }: ScriptedModel): string[] {
  return requests.map(({ config }) => JSON.stringify(config.tools).replaceAll('\\n', '\n'));
}

function responseIn(events: Awaited<ReturnType<typeof eventsOf>>): unknown {
  const responses = events.flatMap(({ functionResponses }) => functionResponses);
  return responses.findLast(({ name }) => name === 'run_script')?.response;
}
