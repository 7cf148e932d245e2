import type { Part, Runner, SessionKey } from '@adorn/core';
import type { Context } from 'hono';

import type { Frame } from '../frames/frame.js';
import { requestTarget } from '../http/node-connection.js';

/** The text that `SaveFilesAsArtifactsPlugin` stores in the place of a file. */
const PLACEHOLDER = /^\[Uploaded Artifact: (".*")\]$/s;

/** The path of a version of an artifact, as a history names it. */
const UPLOAD_PATH = /\/adorn\/apps\/[^/]+\/sessions\/([^/]+)\/artifacts\/([^/?]+)\?version=(\d{1,9})/;

/** Shows the files of messages that are artifacts now as files, at the addresses of their artifacts. */
export async function withUploads(
  context: Context,
  { artifacts }: Runner<unknown>,
  key: SessionKey,
  frames: readonly Frame[],
): Promise<Frame[]> {
  const shown = frames.map(async (frame): Promise<Frame> => {
    const name = uploadIn(frame);
    const version = name === undefined ? undefined : versionIn(frames, frame, name);
    if (frame.kind !== 'text' || name === undefined || version === undefined) return frame;
    const file = await artifacts.openStream(key, name, version);
    if (file === undefined) return frame;
    await file.content[Symbol.asyncIterator]().return?.();
    const { text: _text, thought: _thought, ...place } = frame;
    const uri = uploadAddress(context, name, version);
    return { ...place, kind: 'file', mimeType: file.mimeType, name, uri };
  });
  return Promise.all(shown);
}

/** The parts of a message with the content of files that it names by the addresses of a history. */
export function readUploads(
  { artifacts }: Runner<unknown>,
  key: SessionKey,
  parts: readonly Part[],
): Promise<Part[]> {
  const read = parts.map(async (part) => {
    const [, session, name, version] = UPLOAD_PATH.exec(part.fileData?.fileUri ?? '') ?? [];
    if (session === undefined || name === undefined || decoded(session) !== key.sessionId) return part;
    return (await artifacts.load(key, decoded(name), Number(version))) ?? part;
  });
  return Promise.all(read);
}

/** The name of the artifact that a text of a user stands for; undefined for every other frame. */
function uploadIn(frame: Frame): string | undefined {
  if (frame.kind !== 'text' || frame.author !== 'user') return undefined;
  const [, quoted] = PLACEHOLDER.exec(frame.text) ?? [];
  try {
    return quoted === undefined ? undefined : String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

/** The version that the event of a text has saved. A user who writes such a text has saved none. */
function versionIn(frames: readonly Frame[], { eventId }: Frame & { eventId?: string }, name: string) {
  const saved = frames.find((frame) => frame.kind === 'state' && frame.eventId === eventId);
  if (saved?.kind !== 'state' || !Object.hasOwn(saved.artifactDelta, name)) return undefined;
  return saved.artifactDelta[name];
}

/** The route of the file, below the path by which the request came. */
function uploadAddress(context: Context, name: string, version: number): string {
  const { req } = context;
  const [root = ''] = (requestTarget(context) ?? req.path).split('/adorn/apps/', 1);
  const [app, session] = [req.param('app') ?? '', req.param('session') ?? ''].map(encodeURIComponent);
  const user = req.query('user');
  const query = `version=${String(version)}${user === undefined ? '' : `&user=${encodeURIComponent(user)}`}`;
  // eslint-disable-next-line adorn/composed-keys -- an address: each part is encoded
  return `${root}/adorn/apps/${app ?? ''}/sessions/${session ?? ''}/artifacts/${encodeURIComponent(name)}?${query}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
