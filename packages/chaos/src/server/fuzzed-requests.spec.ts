import { serverChaos } from './server.chaos.js';

describe('a server that is attacked', () => {
  it('answers fuzzed requests and published attacks with typed errors, and stays alive', async () => {
    const failures: string[] = [];
    let count = 0;
    for await (const { groups } of serverChaos.run({
      from: 30,
      counts: { requests: 300 },
      quick: true,
      parts: [],
    }))
      for (const { name, checks } of groups)
        for (const { what, fault } of checks) {
          count += 1;
          if (fault !== undefined) failures.push(`${name}: ${what}: ${fault}`);
        }
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(800);
  }, 60_000);
});
