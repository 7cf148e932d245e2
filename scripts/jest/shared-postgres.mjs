/** The variable that has the URL of the server, for the workers and for the processes that specs start. */
const VARIABLE = 'ADORN_SPEC_POSTGRES';

/** Nothing in it outlives the run: it writes as little as it can, and cleans up nothing. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  max_connections: '500',
};

/** Starts one PostgreSQL server for all workers of a run: each spec file has databases of its own in it. It ends with the run. */
export async function startSharedPostgres() {
  const server = await startPostgres().catch(() => undefined);
  // Where there is none for this machine, a spec that needs one says so.
  if (server !== undefined) process.env[VARIABLE] = server.url();
}

/** The server of the run; undefined in a run of some specs, which starts one when a spec needs it. */
export function sharedPostgres() {
  const shared = process.env[VARIABLE];
  return shared === undefined ? undefined : { url: (database) => urlIn(shared, database) };
}

export async function startPostgres() {
  const { PostgresServer } = await import('@adorn/testing/servers');
  return PostgresServer.start({ settings: SETTINGS, endsWithProcess: true });
}

function urlIn(shared, database = 'postgres') {
  const url = new URL(shared);
  url.pathname = `/${database}`;
  return url.href;
}
