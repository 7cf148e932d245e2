import { ExplainedDatabase } from '../database/query-plans.fixture.js';
import { SqlSessionService } from './sql-session.service.js';

const OWNER = { appName: 'app', userId: 'ada' };
const BY_INDEX = 'SEARCH session USING INDEX adorn_sessions_latest (app=? AND user_id=?';

describe('a list of sessions on SQLite', () => {
  const database = new ExplainedDatabase();
  const sessions = new SqlSessionService(database);

  beforeAll(async () => {
    for (const sessionId of ['a', 'b', 'c'])
      await sessions.createSession({ ...OWNER, sessionId }, { city: 'Oslo' });
  });

  afterAll(() => database.close());

  it('is read in the order of an index, from the place of the last session on', async () => {
    const [after] = await sessions.listSessions(OWNER, { limit: 1 });

    const first = await database.plansOf(() => sessions.listSessions(OWNER, { limit: 1 }), 'adorn_sessions');
    const second = await database.plansOf(
      () => sessions.listSessions(OWNER, { limit: 1, after }),
      'adorn_sessions',
    );

    expect(first[0]).toBe(`${BY_INDEX})`);
    expect(second[0]).toBe(`${BY_INDEX} AND updated_at<?)`);
    expect([...first, ...second].filter((step) => /SCAN|TEMP B-TREE/.test(step))).toEqual([]);
  });

  it('reads no state if it is told so', async () => {
    const list = () => sessions.listSessions(OWNER, { state: false });

    expect(await database.plansOf(list, 'adorn_session_state')).toEqual([]);
    expect(await database.plansOf(list, 'adorn_scope_state')).toEqual([]);
  });
});
