import { TemporaryProject } from '../fixtures/temporary-project.js';
import { type Bundler, SourceTransformer } from './source-transformer.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

const ORDERS = `import { tool } from 'adorn';
import { Address } from './address.js';
export class Orders {
  @tool() send(id: string, to: Address): void {}
}
`;

describe('a source that another plugin has changed before', () => {
  let project: TemporaryProject;
  let path: string;
  beforeEach(() => {
    project = new TemporaryProject();
    project.write('src/address.ts', 'export class Address { street!: string }');
    path = project.write('src/orders.ts', ORDERS);
  });
  afterEach(() => {
    project.remove();
  });

  it.each([
    ['has more in it', ORDERS.replace('export', 'const added = 1;\nexport'), 'return Address;'],
    ['has lost its types', ORDERS.replaceAll(/: (?:string|Address|void)|import .* '.\/.*/g, ''), undefined],
    ['has a mark at its start', `\uFEFF${ORDERS}`, 'return Address;'],
  ])(
    'gets its record into the class where it stands, if it %s',
    (_how, text, reference) => {
      const { code } = transform(text);

      const inserted = /; static \{ Object\.defineProperty\(.*\); \} /.exec(code)?.[0] ?? '';
      expect(code).toBe(text.replace(/\}\n$/, `${inserted}}\n`));
      expect(inserted).toContain('"street"');
      expect(/return \w+;/.exec(inserted)?.[0]).toBe(reference);
    },
    SLOW,
  );

  it(
    'is refused where its class is not certainly there',
    () => {
      expect(transform(ORDERS.replace('class Orders', 'class Changed')).error).toBe(
        `${path}, as the plugins before Adorn's left it, has no class that certainly matches Orders of ` +
          `${path}:3. Put adorn() before the plugins that change the file, and give classes with equal ` +
          'methods names of their own. (DERIVATION_FAILED)',
      );
      expect(transform(ORDERS.replace('id: string, ', '')).error).toContain(
        `Orders.send takes (id, to) at ${path}:4, but (to) at ${path}:4. Put adorn() before`,
      );
    },
    SLOW,
  );

  it(
    'is read from disk as it is now, whether or not a change was told',
    () => {
      const transformer = new SourceTransformer(undefined);
      expect(transform(ORDERS, transformer).code).toContain('"id"');

      const changed = ORDERS.replace('id:', 'number:');
      project.write('src/orders.ts', changed);
      expect(transform(changed, transformer).code).toContain('"number"');

      project.write('src/address.ts', 'export class Address { lane!: string }');
      transformer.expire();
      expect(transform(changed, transformer).code).toContain('"lane"');
    },
    SLOW,
  );

  it(
    'depends on every file that its types come from',
    () => {
      expect(transform(ORDERS).watched).toEqual(
        expect.arrayContaining(
          ['src/orders.ts', 'src/address.ts', 'tsconfig.json', 'node_modules/adorn/package.json'].map(
            (name) => project.path(name),
          ),
        ),
      );
    },
    SLOW,
  );

  it(
    'may stand outside of what any tsconfig includes',
    () => {
      path = project.write('more/orders.ts', ORDERS.replace('./address', '../src/address'));

      expect(transform(ORDERS).code).toContain('"street"');
    },
    SLOW,
  );

  function transform(
    text: string,
    transformer = new SourceTransformer(undefined),
  ): { code: string; error: string; watched: string[] } {
    const watched: string[] = [];
    let error = '';
    const bundler: Bundler = {
      addWatchFile: (file) => watched.push(file),
      error: (said) => void (error = said),
    };
    return { code: transformer.transform(path, text, bundler)?.code ?? '', error, watched };
  }
});
