// The PostgreSQL server for the spec files that need none of their own: that of the run, else one of the worker.
let started;

/** The server, which is started when it is first asked for. */
exports.workerPostgres = () => (started ??= open());

async function open() {
  const { sharedPostgres, startPostgres } = await import('./shared-postgres.mjs');
  return sharedPostgres() ?? startPostgres();
}
