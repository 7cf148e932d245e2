import type { ModelRequest } from 'adorn';

import { ScriptedBenchModel } from './scripted-bench.model.js';

describe('the scripted model of the benchmark', () => {
  it('reads the signal of its request and ends with it, as the models of providers do', async () => {
    const signal = AbortSignal.abort(new Error('Stopped.'));
    const request: ModelRequest = { contents: [], config: {}, stream: false, signal };
    const model = new ScriptedBenchModel({ kind: 'A', delayMs: 0 }, 'root');

    await expect(model.generate(request).next()).rejects.toThrow('Stopped.');
  });
});
