import { readFileSync } from 'node:fs';

import { TemporaryProject } from '../fixtures/temporary-project.js';
import { ContinuousBuild } from './continuous-build.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

const SOURCE = "import { tool } from 'adorn';\nexport class Notes { @tool() note(text: string): void {} }";
const EMITTED = 'export class Notes { note(text) {} }';

describe('ContinuousBuild', () => {
  let project: TemporaryProject;
  let build: ContinuousBuild;
  let source: string;
  let output: string;
  beforeEach(() => {
    project = new TemporaryProject();
    source = project.write('src/notes.ts', SOURCE);
    output = project.write('build/notes.js', EMITTED);
    build = new ContinuousBuild(project.path('tsconfig.json'));
    build.renew();
  });
  afterEach(() => {
    project.remove();
  });

  it(
    'knows what it has written itself from what others write',
    () => {
      expect(build.write().written).toEqual([output]);
      expect(build.isUndoneBy({ path: output, cameOrWent: false })).toBe(false);
      expect(build.isOutdatedBy({ path: output, cameOrWent: true })).toBe(false);

      project.write('build/notes.js', EMITTED);
      expect(build.isUndoneBy({ path: output, cameOrWent: false })).toBe(true);
      expect(build.write().written).toEqual([output]);
      expect(build.write().written).toEqual([]);
    },
    SLOW,
  );

  it(
    'reads again for a source, a tsconfig, and files that come and go, and for no other',
    () => {
      build.write();

      expect(build.isOutdatedBy({ path: source, cameOrWent: false })).toBe(true);
      expect(build.isOutdatedBy({ path: project.path('tsconfig.json'), cameOrWent: false })).toBe(true);
      expect(build.isOutdatedBy({ path: project.path('src/new.ts'), cameOrWent: true })).toBe(true);
      expect(build.isOutdatedBy({ path: project.path('build/notes.d.ts'), cameOrWent: false })).toBe(false);
    },
    SLOW,
  );

  it(
    'takes back no record for a source that is wrong for a moment',
    () => {
      build.write();
      const before = readFileSync(output, 'utf8');
      project.write('src/notes.ts', SOURCE.replace('string', 'symbol'));
      build.renew();

      expect(build.write()).toMatchObject({ written: [], faults: [{ code: 'TYPE_NOT_REPRESENTABLE' }] });
      expect(readFileSync(output, 'utf8')).toBe(before);

      project.write('src/notes.ts', SOURCE);
      build.renew();
      expect(build.write()).toMatchObject({ written: [], faults: [], report: { tools: 1 } });
    },
    SLOW,
  );
});
