import { callsTool, callsTools, eventsOf, ManualClock, says, ScriptedModel } from '@adorn/testing';

import { Clock, ContainerModule, createRunner, defineAgent, tool, ToolError, withOptions } from './index.js';
import { FunctionTool, type Tool } from './index.js';

/** The service of a weather station, which fails at times. */
abstract class Station {
  abstract read(city: string): Promise<{ mm: number } | undefined>;
}

class Weather {
  constructor(private readonly station: Station = new FlakyStation()) {}

  /**
   * Rain of today.
   * @param city City, such as "Rome".
   */
  @tool({
    effect: 'read',
    cache: { scope: 'app', ttlMs: 60_000 },
    retry: 3,
    rateLimit: { calls: 100, perMs: 60_000 },
    concurrency: 4,
    timeout: 5_000,
  })
  async rain(city: string): Promise<{ mm: number }> {
    const reading = await this.station.read(city);
    if (reading === undefined) throw new ToolError(`No station in ${city}.`, { final: true });
    return reading;
  }
}

class Ledger {
  static readonly transfers: string[] = [];

  /**
   * Moves money.
   * @param reference What the bank knows the transfer by.
   */
  @tool({ effect: 'write', retry: 3, idempotent: (_cents, reference) => reference !== undefined })
  transfer(cents: number, reference?: string): string {
    const attempt = Ledger.transfers.push(`${String(cents)} ${reference ?? ''}`.trim());
    if (attempt < 3) throw new ToolError('The bank does not answer.');
    return 'done';
  }
}

/** A tool of another package. */
const search = new FunctionTool({
  name: 'search',
  description: 'Searches the web.',
  parameters: { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] },
  run: ({ words }) => ({ found: words }),
});

const patientSearch: Tool = withOptions(search, { cache: { scope: 'user' }, timeout: 120_000 });
const lateSearch: Tool = withOptions(search, { background: { scheduling: 'interrupt' } });

describe('the program of the page on policies', () => {
  it('searches beside the turn, and has the result in the next model call', async () => {
    const model = new ScriptedModel(callsTool('search', { words: 'rain' }), says('Found.'));
    const runner = await createRunner(defineAgent({ name: 'clerk', tools: [lateSearch] }), { model });

    const events = await eventsOf(runner.run({ message: 'Search.' }));

    const responses = events.flatMap(({ functionResponses }) =>
      functionResponses.map(({ response }) => response),
    );
    expect(responses).toEqual([{ status: 'running', tool: 'search' }, { found: 'rain' }]);
    expect(model.requests).toHaveLength(2);
    await runner.close();
  });

  it('reads the station once for equal calls, and again after a failure', async () => {
    const clock = new ManualClock();
    const runner = await createRunner(defineAgent({ name: 'clerk', tools: [Weather, patientSearch] }), {
      model: new ScriptedModel(
        callsTools(
          { name: 'rain', args: { city: 'Rome' } },
          { name: 'rain', args: { city: 'Rome' } },
          { name: 'rain', args: { city: 'Atlantis' } },
        ),
        callsTool('rain', { city: 'Rome' }),
        callsTool('search', { words: 'rain' }),
        says('Three millimetres.'),
      ),
      modules: [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))],
    });

    const running = eventsOf(runner.run({ message: 'Rain in Rome and in Atlantis?' }));
    while (clock.waiting === 0) await new Promise(setImmediate);
    await clock.advance(500);
    const events = await running;

    const responses = events.flatMap(({ functionResponses }) =>
      functionResponses.map(({ response }) => response),
    );
    const atlantis = { error: 'No station in Atlantis.' };
    expect(responses).toEqual([{ mm: 3 }, { mm: 3 }, atlantis, { mm: 3 }, { found: 'rain' }]);
    expect(FlakyStation.reads).toEqual(['Rome', 'Atlantis', 'Rome']);
    await runner.close();
  });
});

describe('the ledger of the page on policies', () => {
  it('repeats a transfer with a reference, and no other', async () => {
    const clock = new ManualClock();
    const runner = await createRunner(defineAgent({ name: 'clerk', tools: [Ledger] }), {
      model: new ScriptedModel(
        callsTool('transfer', { cents: 5 }),
        callsTool('transfer', { cents: 5, reference: 'A-17' }),
        says('Done.'),
      ),
      modules: [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))],
    });

    const running = eventsOf(runner.run({ message: 'Move the money.' }));
    while (clock.waiting === 0) await new Promise(setImmediate);
    await clock.advance(500);
    const events = await running;

    expect(Ledger.transfers).toEqual(['5', '5 A-17', '5 A-17']);
    expect(
      events.flatMap(({ functionResponses }) => functionResponses).map(({ response }) => response),
    ).toEqual([{ error: 'The bank does not answer.' }, { result: 'done' }]);
    await runner.close();
  });
});

/** Fails at first. */
class FlakyStation extends Station {
  static readonly reads: string[] = [];

  read(city: string): Promise<{ mm: number } | undefined> {
    const reads = FlakyStation.reads.push(city);
    if (city === 'Atlantis') return Promise.resolve(undefined);
    return reads === 1 ? Promise.reject(new Error('down')) : Promise.resolve({ mm: 3 });
  }
}
