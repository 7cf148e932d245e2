import { TemporaryProject } from '../fixtures/temporary-project.js';
import { sourcePathOf, TYPESCRIPT } from './adorn-plugin.js';

describe('the source that an id means', () => {
  let project: TemporaryProject;
  beforeEach(() => {
    project = new TemporaryProject();
  });
  afterEach(() => {
    project.remove();
  });

  it.each(['a.ts', 'a.tsx', 'a.mts', 'a.cts'])('is the file, for %s', (name) => {
    const path = project.write(`src/${name}`, '');

    expect(sourcePathOf(path)).toBe(path);
    expect(sourcePathOf(`${path}?worker_file&type=module`)).toBe(path);
    expect(TYPESCRIPT.test(`${path}?v=1`)).toBe(true);
  });

  it.each([
    ['JavaScript', 'src/a.js', ''],
    ['a declaration', 'src/a.d.mts', ''],
    ['a file of another package', 'node_modules/other/src/a.ts', ''],
    ['what was asked for as a text', 'src/a.ts', '?raw'],
    ['what was asked for as a worker', 'src/a.ts', '?worker&inline'],
    ['a part of another file', 'src/a.vue', '?vue&type=script&lang.ts'],
  ])('is none for %s', (_what, path, query) => {
    expect(sourcePathOf(project.write(path, '') + query)).toBeUndefined();
  });

  it.each(['\0virtual:a.ts', 'virtual:a.ts', '/nowhere/a.ts'])('is none where there is no file: %s', (id) => {
    expect(sourcePathOf(id)).toBeUndefined();
  });
});
