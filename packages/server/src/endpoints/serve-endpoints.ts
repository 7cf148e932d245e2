import type { Hono } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import { ServerOptionInvalidError } from '../errors.js';
import { errorResponse } from '../http/error-response.js';
import { readBytes } from '../http/request-body.js';
import type { ServerContext } from '../server-context.js';
import type { EndpointHost, ServedEndpoint } from '../server-options.js';

/** In whose name the bodies of endpoints are counted, which no `authenticate` can give. */
const NOBODY = '';

/**
 * Answers the paths of endpoints, by POST.
 *
 * @returns a function that closes them
 * @throws {ServerOptionInvalidError} if two have one path, or one is for an application that there is not
 */
export function serveEndpoints(
  app: Hono<ServerEnv>,
  server: ServerContext,
  { caller, endpoints }: { readonly caller: string; readonly endpoints: readonly ServedEndpoint[] },
): () => Promise<void> {
  const { limits, quotas, logger } = server;
  const paths = new Set<string>();
  const served = endpoints.map((endpoint) => ({ endpoint, host: hostOf(endpoint, caller, server, paths) }));
  for (const { endpoint, host } of served)
    app.post(endpoint.path, async ({ req }) => {
      const held = quotas.bodies.open(NOBODY);
      try {
        const body = await readBytes(req.raw, limits.bodyBytes, held);
        return await endpoint.receive({ headers: req.raw.headers, body }, host);
      } catch (error) {
        return errorResponse(error, logger);
      } finally {
        held.release();
      }
    });
  const closing = served.map(({ endpoint, host }) => endpoint.open?.(host));
  return async () => {
    for (const close of closing) await close?.();
  };
}

function hostOf(
  { path, app }: ServedEndpoint,
  caller: string,
  { apps, logger }: ServerContext,
  paths: Set<string>,
): EndpointHost {
  if (paths.has(path))
    throw new ServerOptionInvalidError(caller, `two endpoints have the path "${path}"`, 'Pass another path.');
  paths.add(path);
  const name = app ?? apps.names[0];
  if (name !== undefined && apps.names.includes(name) && (app !== undefined || apps.names.length === 1))
    return { runner: apps.get(name), logger };
  const fault =
    app === undefined
      ? `the endpoint "${path}" does not say for which application it is`
      : `the endpoint "${path}" is for the application "${app}", which is not served`;
  throw new ServerOptionInvalidError(caller, fault, `Pass one of its app: ${apps.names.join(', ')}.`);
}
