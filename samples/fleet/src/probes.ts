import type { Fleet } from '@adorn/fleet';
import { Hono } from 'hono';

/**
 * What a platform asks a machine: `/healthz`, whether the process answers; `/readyz`, whether it reaches the database;
 * `/metrics`, how much waits, for Prometheus and for scaling by it.
 */
export function probesOf(fleet: Fleet): Hono {
  const probes = new Hono();
  probes.get('/healthz', (c) => c.text('alive\n'));
  probes.get('/readyz', async (c) => {
    const isReady = await fleet.counts().then(
      () => true,
      () => false,
    );
    return isReady ? c.text('ready\n') : c.text('The database does not answer.\n', 503);
  });
  probes.get('/metrics', async (c) => {
    const { waiting, scheduled, parked, oldestMs } = await fleet.counts();
    const gauges = {
      adorn_invocations_waiting: waiting,
      adorn_invocations_scheduled: scheduled,
      adorn_invocations_parked: parked,
      adorn_invocation_oldest_seconds: oldestMs / 1000,
    };
    const lines = Object.entries(gauges).map(
      ([name, value]) => `# TYPE ${name} gauge\n${name} ${String(value)}\n`,
    );
    return c.text(lines.join(''));
  });
  return probes;
}
