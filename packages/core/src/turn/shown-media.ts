import { isMedia } from '../events/media.js';
import type { Part } from '../events/genai-types.js';
import { ReadonlyContext } from '../run/callback-context.js';
import { attempt } from '../tools/builtin/attempt.js';
import type { TurnModelRequest } from './model-request.js';

/** The files of results that one request shows. */
const MOST = 8;

/** Larger files are not shown: base64 of 10 MiB. */
const LARGEST = 14_000_000;

/** A file that a result names. */
interface NamedFile {
  readonly artifact: string;
  readonly tool: string;
}

/**
 * Shows the model the images, audio and PDF of the results that came after its last answer, once: in a content of the
 * user behind them, which every provider takes. Later requests have their names only.
 */
export async function showMedia(request: TurnModelRequest): Promise<void> {
  const files = newFiles(request).slice(0, MOST);
  if (files.length === 0) return;
  const context = new ReadonlyContext(request.context, request.agent);
  const parts = await Promise.all(files.map((file) => shown(file, context)));
  if (parts.flat().length > 0) request.append({ role: 'user', parts: parts.flat() });
}

function newFiles({ stored }: TurnModelRequest): NamedFile[] {
  const last = stored.findLastIndex(({ role }) => role === 'model');
  const parts = stored.slice(last + 1).flatMap((content) => content.parts ?? []);
  return parts.flatMap(({ functionResponse }) =>
    functionResponse ? filesIn(functionResponse.response, functionResponse.name ?? '') : [],
  );
}

function filesIn(value: unknown, tool: string): NamedFile[] {
  if (typeof value !== 'object' || value === null) return [];
  const { artifact, mimeType } = value as Readonly<Record<string, unknown>>;
  const isFile = typeof artifact === 'string' && typeof mimeType === 'string' && isMedia(mimeType);
  if (isFile && OF_RESULTS.test(artifact)) return [{ artifact, tool }];
  return Object.values(value).flatMap((one) => filesIn(one, tool));
}

/** No result shows another file of the conversation. */
const OF_RESULTS = /^(?:tool-results|mcp)\/./;

async function shown({ artifact, tool }: NamedFile, context: ReadonlyContext): Promise<Part[]> {
  const part = await attempt(context, 'a file of a result could not be loaded', () =>
    context.loadArtifact(artifact),
  );
  const { inlineData } = part ?? {};
  const { data = '' } = inlineData ?? {};
  if (!inlineData || data === '' || data.length > LARGEST) return [];
  return [{ text: `The file "${artifact}", from the result of ${tool}:` }, { inlineData }];
}
