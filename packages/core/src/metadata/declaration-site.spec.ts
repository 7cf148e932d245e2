import { DECLARATION_SITES, readMetadata, readOwnMetadata } from '@adorn/schema';

import { declarationSites, foreignFiles, noteDeclarationSites } from './declaration-site.js';

describe('declarationSites', () => {
  afterEach(() => {
    process.env['NODE_ENV'] = 'test';
  });

  it('is the file that calls a decorator', () => {
    expect(declarationSites()).toEqual([expect.stringMatching(/declaration-site\.spec\.ts$/)]);
  });

  it('is not looked for in production', () => {
    process.env['NODE_ENV'] = 'production';

    expect(declarationSites()).toEqual([]);
  });

  it('leaves the length of stacks as it was', () => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 3;

    declarationSites();

    expect(Error.stackTraceLimit).toBe(3);
    Error.stackTraceLimit = limit;
  });
});

describe('foreignFiles', () => {
  const stackOf = (...places: string[]): string =>
    ['Error', ...places.map((place) => `    at ${place}`)].join('\n');

  it('passes over this package, and what stands between a decorator and its file', () => {
    const stack = stackOf(
      'shortStack (file:///repo/packages/core/build/metadata/declaration-site.js:30:9)',
      'tool (file:///repo/packages/core/build/tools/tool.decorator.js:9:3)',
      '__decorate (file:///app/node_modules/tslib/tslib.es6.mjs:60:1)',
      'DecorateProperty (/app/node_modules/reflect-metadata/Reflect.js:2:1)',
      'decorate (/app/\0@oxc-project+runtime@0.156.0/helpers/esm/decorate.js:8:24)',
      'node:internal/modules/run_main:1:1',
      'file:///app/src/my%20orders.js:12:5',
    );

    expect(foreignFiles(stack)).toEqual(['/app/src/my orders.js']);
  });

  it('passes over this package where it is bundled, and where it is installed', () => {
    const dist = 'file:///app/node_modules/.pnpm/x/node_modules/@adorn/core/dist';
    const stack = stackOf(
      `a (${dist}/chunks/c.js:1:1)`,
      `b (${dist}/index.js:2:1)`,
      'async /app/orders.ts:3:1',
    );
    const linked = stackOf(
      'a (/r/core/dist/chunks/c.js:1:1)',
      'b (/r/core/dist/index.js:2:2)',
      '/r/app/dist/app.js:1:1',
    );

    expect(foreignFiles(stack)).toEqual(['/app/orders.ts']);
    expect(foreignFiles(linked)).toEqual(['/r/app/dist/app.js']);
  });

  it('is not the package below, which has the function that calls decorators', () => {
    const stack = stackOf(
      'a (/r/packages/core/dist/chunks/chunk-X.js:1:1)',
      'DecorateConstructor (/r/packages/schema/dist/index.js:9:1)',
      '/r/app/main.ts:20:1',
    );

    expect(foreignFiles(stack)).toEqual(['/r/app/main.ts']);
  });

  it('is the file that this package is bundled into', () => {
    expect(foreignFiles(stackOf('a (/app/dist/all.js:1:1)', 'b (/app/dist/all.js:9:1)'))).toEqual([
      '/app/dist/all.js',
    ]);
  });

  it('are all files of the stack where this package is bundled into several', () => {
    const stack = stackOf(
      'a (/app/dist/chunk-X.js:1:1)',
      'tool (/app/dist/chunk-X.js:9:1)',
      '__decorate (/app/node_modules/tslib/tslib.js:60:1)',
      '/app/dist/main.js:20:1',
    );

    expect(foreignFiles(stack)).toEqual(['/app/dist/chunk-X.js', '/app/dist/main.js']);
  });

  it('takes a spec of this package for a user of it', () => {
    const stack = stackOf(
      'a (/repo/core/src/metadata/declaration-site.ts:1:1)',
      'b (/repo/core/src/tools/tool.spec.ts:2:2)',
    );

    expect(foreignFiles(stack)).toEqual(['/repo/core/src/tools/tool.spec.ts']);
  });

  it('reads the paths of Windows', () => {
    const stack = stackOf(
      'a (C:\\repo\\core\\src\\metadata\\declaration-site.ts:1:1)',
      'b (C:\\repo\\core\\src\\tools\\tool.decorator.ts:1:1)',
      'Object.<anonymous> (C:\\app (new)\\orders.ts:9:1)',
    );

    expect(foreignFiles(stack)).toEqual(['C:\\app (new)\\orders.ts']);
    expect(
      foreignFiles(stackOf('a (file:///C:/core/dist/index.js:1:1)', 'file:///C:/app/orders.js:1:1')),
    ).toEqual(['C:/app/orders.js']);
  });

  it('is empty where nothing of the user is near', () => {
    expect(foreignFiles(stackOf('a (/core/dist/index.js:1:1)', 'node:internal/x:1:1'))).toEqual([]);
    expect(foreignFiles('')).toEqual([]);
  });
});

class Orders {
  readonly kind: string = 'orders';
}

describe('noteDeclarationSites', () => {
  it('notes the file that decorates a class, once', () => {
    noteDeclarationSites(Orders);
    const noted = readOwnMetadata(Orders, DECLARATION_SITES);

    process.env['NODE_ENV'] = 'production';
    noteDeclarationSites(Orders);
    process.env['NODE_ENV'] = 'test';

    expect(noted).toEqual([expect.stringMatching(/declaration-site\.spec/)]);
    expect(readMetadata(Orders, DECLARATION_SITES)).toBe(noted);
  });
});
