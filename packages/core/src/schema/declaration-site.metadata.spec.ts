import { readMetadata, readOwnMetadata } from '../metadata/class-metadata.js';
import { DECLARATION_SITE, noteDeclarationSite } from './declaration-site.metadata.js';

class Orders {
  readonly kind: string = 'orders';
}

describe('noteDeclarationSite', () => {
  it('notes the file that decorates a class, once', () => {
    noteDeclarationSite(Orders);
    const noted = readOwnMetadata(Orders, DECLARATION_SITE);

    process.env['NODE_ENV'] = 'production';
    noteDeclarationSite(Orders);
    process.env['NODE_ENV'] = 'test';

    expect(noted).toMatch(/declaration-site\.metadata\.spec/);
    expect(readMetadata(Orders, DECLARATION_SITE)).toBe(noted);
  });
});
