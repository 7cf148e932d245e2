import type { ArtifactDownload } from '@adorn/core/backend';
import type { Context, Hono } from 'hono';

import type { ServerEnv } from '../access/server-env.js';
import { artifactsOf, versionOf } from '../adk/artifact-routes.js';
import { NotFoundError } from '../errors.js';
import { contentDisposition, printableAscii } from '../http/header-values.js';
import { connectionEnder } from '../http/node-connection.js';
import { WatchedBody, type WatchedBodyOptions } from '../http/watched-body.js';
import type { ServerContext } from '../server-context.js';

const ARTIFACTS = '/adorn/apps/:app/sessions/:session/artifacts';

/** Types that a browser may show in the page; everything else is downloaded. */
const SHOWN =
  /^(?:image\/(?:png|jpeg|gif|webp|avif)|(?:audio|video)\/[\w.+-]+|application\/pdf|text\/plain)$/i;

/** Parameters of a type, such as `; charset=utf-8`. */
const PARAMETERS = /^(?:\s*;\s*[\w-]+=(?:[\w.+:-]+|"[\w .+:;-]*"))*$/;

/** The artifacts of a session as files. */
export function artifactFileRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get(ARTIFACTS, async (c) => {
    const { artifacts, key } = await artifactsOf(server, c);
    const names = await artifacts.list(key);
    const listed = names.map(async (name) => ({ name, versions: await artifacts.versions(key, name) }));
    return c.json(await Promise.all(listed));
  });
  app.get(`${ARTIFACTS}/:name`, (c) => download(server, c));
  app.delete(`${ARTIFACTS}/:name`, async (c) => {
    const { artifacts, key, name } = await artifactsOf(server, c);
    await artifacts.delete(key, name);
    return c.body(null, 204);
  });
}

/** A file is not collected in the memory; who takes nothing of it is disconnected. */
async function download(server: ServerContext, c: Context<ServerEnv>): Promise<Response> {
  const { artifacts, key, name } = await artifactsOf(server, c);
  const file = await artifacts.openStream(key, name, versionOf(c));
  if (file === undefined) throw new NotFoundError(`Artifact not found: ${name}`);
  const { stalledMs } = server.limits;
  return fileResponse(name, file, bodyOfFile(file, { stalledMs, drop: connectionEnder(c) }));
}

function bodyOfFile(
  { content }: ArtifactDownload,
  options: Omit<WatchedBodyOptions, 'onEnd'>,
): ReadableStream<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  const next = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      const { done, value } = (await pieces.next()) as IteratorResult<Uint8Array, undefined>;
      if (done === true) return undefined;
      if (value.byteLength > 0) return value;
    }
  };
  const onEnd = (): void => {
    pieces.return?.().catch(ignore);
  };
  return new WatchedBody(next, { ...options, onEnd }).stream;
}

function ignore(): void {
  // The client has left.
}

/** A file comes from a model or a tool: a browser must not run it as a page of this server. */
function fileResponse(name: string, file: ArtifactDownload, body: ReadableStream<Uint8Array>): Response {
  const isShown = isShownType(file.mimeType);
  return new Response(body, {
    headers: {
      'content-type': isShown ? file.mimeType : 'application/octet-stream',
      'x-artifact-type': printableAscii(file.mimeType),
      'content-length': String(file.size),
      'content-disposition': contentDisposition(isShown ? 'inline' : 'attachment', name),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    },
  });
}

/** The whole type counts: a browser reads `text/plain,text/html` as HTML. */
function isShownType(mimeType: string): boolean {
  const [type = ''] = mimeType.split(';', 1);
  return SHOWN.test(type) && PARAMETERS.test(mimeType.slice(type.length));
}
