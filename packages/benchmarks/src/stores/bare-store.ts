/** The same writes and reads without Adorn: one table, one prepared insert, the driver's own calls. */
export interface BareStore {
  /** @param sessions how many rows of inserts go on at once */
  insert(bodies: readonly string[], sessions: number): Promise<void>;
  /** Puts one session with that log in the place of all that is there. */
  replace(bodies: readonly string[]): Promise<void>;
  /** Everything of that session, parsed. */
  load(): Promise<unknown[]>;
  close(): Promise<void>;
}

const COLUMNS =
  'session_no bigint, seq integer, id text, invocation_id text, timestamp double precision, body text';
const TABLE = `create table bare_events (${COLUMNS}, primary key (session_no, seq))`;

/** A connection with the settings that Adorn gives it. */
export async function bareSqlite(path: string): Promise<BareStore> {
  const { default: Libsql } = await import('libsql');
  const connection = new Libsql(path);
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.exec(TABLE);
  const insert = connection.prepare('insert into bare_events values (?, ?, ?, ?, ?, ?)');
  const select = connection.prepare('select body from bare_events where session_no = ? order by seq');
  let next = 0;
  return {
    insert: (bodies, sessions) => {
      for (const [index, body] of bodies.entries()) {
        insert.run([index % sessions, next++, `id-${String(next)}`, 'e-1', next, body]);
      }
      return Promise.resolve();
    },
    replace: (bodies) => {
      connection.exec('begin; delete from bare_events');
      for (const [seq, body] of bodies.entries()) insert.run([0, seq, `id-${String(seq)}`, 'e-1', seq, body]);
      connection.exec('commit');
      return Promise.resolve();
    },
    load: () => {
      const rows = select.all([0]) as { body: string }[];
      return Promise.resolve(rows.map(({ body }) => JSON.parse(body) as unknown));
    },
    close: () => {
      connection.close();
      return Promise.resolve();
    },
  };
}

export async function barePostgres(url: string): Promise<BareStore> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // The server may end before a connection has: without a listener that ends the process.
  pool.on('error', () => undefined);
  await pool.query(TABLE);
  let next = 0;
  const insert = async (body: string, session: number): Promise<void> => {
    const values = [session, next++, `id-${String(next)}`, 'e-1', next, body];
    await pool.query('insert into bare_events values ($1, $2, $3, $4, $5, $6)', values);
  };
  return {
    insert: async (bodies, sessions) => {
      const rows = Array.from({ length: sessions }, async (_, session) => {
        for (let index = session; index < bodies.length; index += sessions)
          await insert(bodies[index] ?? '', session);
      });
      await Promise.all(rows);
    },
    replace: async (bodies) => {
      await pool.query('delete from bare_events');
      await pool.query(
        `insert into bare_events
         select 0, place - 1, 'id-' || place, 'e-1', place, body from unnest($1::text[]) with ordinality as of (body, place)`,
        [bodies],
      );
      // As the server does by itself within a minute, for every table.
      await pool.query('analyze');
    },
    load: async () => {
      const found = await pool.query<{ body: string }>(
        'select body from bare_events where session_no = 0 order by seq',
      );
      return found.rows.map(({ body }) => JSON.parse(body) as unknown);
    },
    close: () => pool.end(),
  };
}
