import { TemporaryProject } from '../fixtures/temporary-project.js';
import { decoratedSources } from './warm-cache.js';

const TOOL = "import { tool } from 'adorn'; export class A { @tool run(a: string): void {} }";

describe('decoratedSources', () => {
  let project: TemporaryProject;
  beforeEach(() => {
    project = new TemporaryProject();
  });
  afterEach(() => {
    project.remove();
  });

  it('lists the TypeScript in which something is marked, tests as well', () => {
    const marked = [
      project.write('src/deep/tools.mts', TOOL),
      project.write('src/a.agent.ts', '@agent({}) export class A {}'),
      project.write('src/a.spec.ts', 'const add = defineTool({});'),
    ];
    project.write('src/plain.ts', 'export const toolbox = 1;');
    project.write('src/a.d.ts', TOOL);
    project.write('src/a.js', TOOL);
    project.write('src/node_modules/a/index.ts', TOOL);
    project.write('.git/a.ts', TOOL);

    expect(decoratedSources([project.root]).sort()).toEqual(marked.sort());
    expect(decoratedSources(marked.slice(0, 1))).toEqual(marked.slice(0, 1));
  });
});
