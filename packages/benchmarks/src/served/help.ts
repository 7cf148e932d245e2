export const HELP = `Measures what serving an agent costs: run_sse beside the runner alone, requests beside a bare Hono route, and memory of
streams that nobody reads. The client and the server are in one process, on the loopback interface. Then Adorn, without and
with telemetry, and Google's server, each in a process of its own, on a model that answers the same.

Usage:
  npm run bench -- --server [--turns N] [--requests N] [--streams N]

Flags:
  --turns N     turns that are timed, by the runner and over HTTP (default 1000)
  --requests N  requests to each route (default 5000)
  --streams N   streams that are open at once (default 1000)
  --help, -h    this text
`;
