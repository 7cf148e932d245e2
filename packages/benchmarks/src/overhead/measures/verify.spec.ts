import type { Adapter } from '../adapter.js';
import * as bare from '../adapters/bare.js';
import * as layers from '../adapters/layers/layers.js';
import { verify } from './verify.js';

describe('verify', () => {
  it('finds that the bare loop does all the work', async () => {
    await expect(verify(bare, {})).resolves.toMatchObject({ eventsA: 2, eventsD: 42, history3: 11 });
  });

  it('finds that the layers do all the work', async () => {
    await expect(verify(layers, {})).resolves.toMatchObject({ eventsA: 2, eventsC: 4, history3: 11 });
  });

  it('refuses an adapter that answers without having done anything', async () => {
    await expect(verify(idleAdapter(), {})).rejects.toThrow('A turn of kind A went wrong: model calls 0');
  });

  it('refuses an adapter whose model sees no history', async () => {
    await expect(verify(forgetful(), {})).rejects.toThrow("a turn's history is missing");
  });
});

/** Says the right thing without asking the model. */
function idleAdapter(): Adapter {
  return {
    handsOff: true,
    nestsAgents: true,
    setup: async (scenario) => {
      const bench = await bare.setup(scenario);
      return { ...bench, turn: () => Promise.resolve('It is 21 degrees and sunny in Paris today.') };
    },
  };
}

/** Runs every turn in a session of its own. */
function forgetful(): Adapter {
  return {
    handsOff: true,
    nestsAgents: true,
    setup: async (scenario) => {
      const bench = await bare.setup(scenario);
      const turn: typeof bench.turn = async (_, text, onChunk) =>
        bench.turn(await bench.newSession(), text, onChunk);
      return { ...bench, turn };
    },
  };
}
