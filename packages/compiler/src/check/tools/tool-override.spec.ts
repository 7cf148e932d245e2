import { TemporaryProject } from '../../fixtures/temporary-project.js';
import { checkProject } from '../check-project.js';
import type { CheckReport } from '../check-report.js';

const SOURCE = `import { tool } from 'adorn';
class First {
  /** Wipe. */
  @tool({ name: 'clean', confirm: 'Wipe?', auth: { key: 'bank', credential: { apiKey: 'secret' } } })
  wipe(): void {}
}
class Second extends First {
  override wipe(): void {}
}
class Third extends Second {
  @tool({ timeout: 5 }) override wipe(): void {}
}
class Fourth extends Third {
  @tool({ confirm: () => false, auth: { key: 'shop', credential: { apiKey: 'secret' } } })
  override 'wipe'(): void {}
}
class Fifth extends Fourth {
  @tool({ ...{ confirm: false } }) override wipe(): void {}
}
class Sixth extends First {
  @tool({ effect: 'destructive' }) override wipe(): void {}
}
class Seventh extends Sixth {
  @tool({ confirm: false, effect: 'read' }) override wipe(): void {}
}
class Unrelated implements First {
  /** Wipe. */
  @tool({ confirm: false }) wipe(): void {}
}
const mixin = <B extends new (...args: any[]) => First>(base: B) => class extends base {};
class Mixed extends mixin(First) {
  @tool({ confirm: false }) override wipe(): void {}
}
class Overloaded extends Third {
  override wipe(): void;
  override wipe(how: string): void;
  /** Wipe. @param how How. */
  @tool({ confirm: () => true }) override wipe(how?: string): void {}
}
class Last extends Overloaded {
  @tool({ confirm: 'Really?' }) override wipe(): void {}
}
`;

describe('@tool on an overriding method', () => {
  const project = new TemporaryProject();
  let report: CheckReport;

  beforeAll(async () => {
    project.write('src/tools.ts', SOURCE);
    report = await checkProject({ project: project.root });
  });

  afterAll(() => {
    project.remove();
  });

  it('is compared with all the classes that its class extends, through mixins and overloads', () => {
    const file = project.path('src/tools.ts');
    const found = report.diagnostics.filter(({ rule }) => rule.endsWith('-override'));

    expect(found.map(({ line, message }) => [line, message])).toEqual([
      [
        14,
        "Fourth.wipe needs another credential: it says auth: { key: 'shop', … }, " +
          `and First.wipe (${file}:4) says auth: { key: 'bank', … }.`,
      ],
      [
        18,
        'Fifth.wipe no longer asks before a call: it says confirm: false, ' +
          `and Fourth.wipe (${file}:14) says confirm: () => false.`,
      ],
      [
        21,
        `Sixth.wipe raises the effect: it says effect: 'destructive', and First.wipe (${file}:4) says confirm: 'Wipe?'.`,
      ],
      [
        24,
        "Seventh.wipe no longer asks before a call: it says confirm: false and effect: 'read', " +
          `and First.wipe (${file}:4) says confirm: 'Wipe?' and Sixth.wipe (${file}:21) says effect: 'destructive'.`,
      ],
      [
        24,
        "Seventh.wipe lowers the effect: it says effect: 'read' and confirm: false, " +
          `and Sixth.wipe (${file}:21) says effect: 'destructive' and First.wipe (${file}:4) says confirm: 'Wipe?'.`,
      ],
      [
        32,
        'Mixed.wipe no longer asks before a call: it says confirm: false, ' +
          `and First.wipe (${file}:4) says confirm: 'Wipe?'.`,
      ],
    ]);
  });

  it('never shows a credential that is written out', () => {
    expect(JSON.stringify(report)).not.toContain('secret');
  });

  it('inherits the name of the base, but not from a class that is only implemented', () => {
    expect(Object.fromEntries(report.tools.map(({ origin, name }) => [origin, name]))).toEqual({
      'First.wipe': 'clean',
      'Second.wipe': 'clean',
      'Third.wipe': 'clean',
      'Fourth.wipe': 'clean',
      'Fifth.wipe': 'clean',
      'Sixth.wipe': 'clean',
      'Seventh.wipe': 'clean',
      'Unrelated.wipe': 'wipe',
      'Mixed.wipe': 'clean',
      'Overloaded.wipe': 'clean',
      'Last.wipe': 'clean',
    });
  });
});
