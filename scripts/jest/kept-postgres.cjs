// One PostgreSQL server per worker, for the spec files that need none of their own. It ends with the worker.
let started;

/** The server, which is started when it is first asked for. */
exports.workerPostgres = () => (started ??= start());

async function start() {
  const { PostgresServer } = await import('@adorn/testing/servers');
  return PostgresServer.start({ settings: { fsync: 'off', max_connections: '300' }, endsWithProcess: true });
}
