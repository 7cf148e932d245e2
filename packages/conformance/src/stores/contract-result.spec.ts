import { byBackend } from './contract-result.js';

const OF_MEMORY = ['InMemorySessionService as a SessionService', 'filters'];
const OF_SQL = ['on SQLite', 'SqlArtifactService on SQLite as an ArtifactService'];

describe('byBackend', () => {
  it('sorts tests by backend and suite, and leaves out what belongs to none', () => {
    const found = byBackend([
      { ancestorTitles: OF_MEMORY, title: 'keeps', status: 'passed' },
      { ancestorTitles: OF_SQL, title: 'saves', status: 'failed', failureMessages: ['Error: no\n at x'] },
      { ancestorTitles: OF_MEMORY, title: 'finds', status: 'pending' },
      { ancestorTitles: ['a database'], title: 'opens', status: 'passed' },
    ]);

    expect(found).toEqual([
      {
        backend: 'InMemorySessionService',
        groups: [
          {
            name: 'SessionService',
            checks: [
              { what: 'filters › keeps', fault: undefined },
              { what: 'filters › finds', fault: 'pending' },
            ],
          },
        ],
      },
      {
        backend: 'SqlArtifactService on SQLite',
        groups: [
          {
            name: 'ArtifactService',
            checks: [
              {
                what: 'SqlArtifactService on SQLite as an ArtifactService › saves',
                fault: 'failed Error: no',
              },
            ],
          },
        ],
      },
    ]);
  });
});
