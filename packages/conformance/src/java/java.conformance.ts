import { type Section, timed } from '../check.js';
import type { Suite } from '../suite.js';
import { askByJava, hasJava } from './ask-by-java.js';

/** The client of another platform, with the habits of that platform, on the doors that speak HTTP. */
export const javaConformance: Suite = {
  name: 'java',
  summary: "Java's HttpClient, which offers h2c with every request, on the server and over A2A; needs a JDK",
  takes: 'some seconds',
  async *run(): AsyncGenerator<Section> {
    if (!(await hasJava())) {
      yield { name: 'HttpClient', groups: [], ms: 0, leftOut: ['there is no JDK on this machine'] };
      return;
    }
    yield await timed('HttpClient', async () => [{ name: 'requests', checks: await askByJava() }]);
  },
};
