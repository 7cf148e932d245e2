import { AdornError, type Content, type Logger, type ModelRequest, type Part } from '@adorn/core';
import type { FunctionResponse } from '@adorn/core/backend';
import { guardedFetch, type GuardedFetchOptions } from '@adorn/http';

import { AiSdkFileRefusedError } from '../errors.js';
import { isJsonObject } from '../is-json-object.js';
import type { ProviderModel } from '../specification.js';

type Request = Pick<ModelRequest, 'contents' | 'signal' | 'logger' | 'stable'>;
type FunctionResponsePart = NonNullable<FunctionResponse['parts']>[number];
/** A file of a message or of a tool's result. */
type FileOwner = Pick<Part, 'inlineData' | 'fileData'>;

interface RequestFilesOptions {
  readonly model: ProviderModel;
  /** Media types that the provider takes; undefined for all. */
  readonly accepted: RegExp | undefined;
  readonly downloads: GuardedFetchOptions | false;
}

/** A file that is in the request, as it is sent, or why it is not. */
type Prepared = { readonly file: FileOwner } | { readonly refused: string };

/**
 * Prepares the files of requests for one model. A file at a URL that the provider does not read is downloaded and sent
 * in the request; a text stands for a file that cannot be sent. Each file is prepared once, however many turns follow.
 */
export class RequestFiles {
  private readonly known = new WeakMap<Content, Content>();
  private urls: Promise<SupportedUrls> | undefined;

  constructor(private readonly options: RequestFilesOptions) {}

  /**
   * A file that was appended to the conversation for this request only, such as a picture of a result, is left out.
   *
   * @throws AiSdkFileRefusedError (`MODEL_FAILED`) for a file of the newest message that cannot be sent, so that the
   * caller learns of it, or a fallback gets the file
   */
  async prepare({ contents, signal, logger, stable }: Request): Promise<readonly Content[]> {
    if (contents.every((content) => this.known.get(content) === content)) return contents;
    const newest = contents.findLastIndex(({ role }) => role === 'model') + 1;
    const end = stable?.contents ?? contents.length;
    const prepared: Content[] = [];
    for (const [index, content] of contents.entries())
      prepared.push(
        this.known.get(content) ??
          (await this.add(content, index >= newest && index < end, { signal, logger })),
      );
    return prepared;
  }

  private async add(
    content: Content,
    isNewest: boolean,
    request: Omit<Request, 'contents' | 'stable'>,
  ): Promise<Content> {
    const { role, parts } = content;
    // Files of a model's answer are its provider's.
    const prepared =
      role === 'model' || parts?.some(hasFile) !== true
        ? content
        : { ...content, parts: await Promise.all(parts.map((part) => this.part(part, isNewest, request))) };
    this.known.set(content, prepared);
    this.known.set(prepared, prepared);
    return prepared;
  }

  private async part(
    part: Part,
    isNewest: boolean,
    request: Omit<Request, 'contents' | 'stable'>,
  ): Promise<Part> {
    const { functionResponse: response, inlineData, fileData, ...rest } = part;
    if (response?.parts) return { ...part, functionResponse: await this.toolResult(response, request) };
    if (!inlineData && !fileData) return part;
    const prepared = await this.file(part, request.signal);
    if ('file' in prepared) return { ...rest, ...prepared.file };
    if (isNewest) throw new AiSdkFileRefusedError(this.options.model.modelId, nameOf(part), prepared.refused);
    return { text: this.leaveOut(part, prepared.refused, request.logger) };
  }

  /** The model learns of files that it does not get from the response, and goes on. */
  private async toolResult(
    response: FunctionResponse,
    { signal, logger }: Omit<Request, 'contents' | 'stable'>,
  ): Promise<FunctionResponse> {
    const files: FunctionResponsePart[] = [];
    const leftOut: string[] = [];
    for (const part of response.parts ?? []) {
      const prepared = await this.file(part, signal);
      if ('file' in prepared) files.push(prepared.file);
      else leftOut.push(this.leaveOut(part, prepared.refused, logger));
    }
    const { parts: _prepared, ...rest } = response;
    const told = leftOut.length === 0 ? response.response : { ...response.response, files: leftOut };
    return { ...rest, ...(told && { response: told }), ...(files.length > 0 && { parts: files }) };
  }

  private leaveOut(owner: FileOwner, reason: string, logger: Logger | undefined): string {
    const { modelId } = this.options.model;
    logger?.warn('a file was left out of a request', { model: modelId, file: nameOf(owner), reason });
    return `[The file ${nameOf(owner)} is left out: ${reason}.]`;
  }

  private async file({ inlineData, fileData }: FileOwner, signal: AbortSignal): Promise<Prepared> {
    const mimeType = inlineData?.mimeType ?? fileData?.mimeType;
    if (mimeType !== undefined && !this.takes(mimeType)) return refusalOf(mimeType);
    const uri = fileData?.fileUri;
    if (inlineData || !fileData || uri === undefined)
      return { file: inlineData ? { inlineData } : { ...(fileData && { fileData }) } };
    this.urls ??= readSupportedUrls(this.options.model);
    if (isSupported(await this.urls, uri, mimeType ?? '')) return { file: { fileData } };
    const { downloads } = this.options;
    if (downloads === false)
      return { refused: 'the provider does not read this URL, and it is not downloaded' };
    const { displayName } = fileData;
    return this.download(uri, mimeType, {
      downloads,
      signal,
      named: displayName === undefined ? {} : { displayName },
    });
  }

  private async download(
    uri: string,
    stated: string | undefined,
    { downloads, signal, named }: { downloads: GuardedFetchOptions; signal: AbortSignal; named: object },
  ): Promise<Prepared> {
    const fetch = guardedFetch(downloads);
    try {
      const response = await fetch(uri, { signal });
      if (!response.ok) return { refused: `its server answered with HTTP ${String(response.status)}` };
      const mimeType = mediaTypeOf(response, stated);
      if (mimeType === undefined)
        return { refused: `its server sent ${contentTypeOf(response)} instead of ${stated ?? 'a file'}` };
      if (!this.takes(mimeType)) return refusalOf(mimeType);
      const data = Buffer.from(await response.arrayBuffer()).toString('base64');
      return { file: { inlineData: { data, mimeType, ...named } } };
    } catch (error) {
      signal.throwIfAborted();
      if (!AdornError.is(error)) throw error;
      return { refused: error.message.replace(/\.$/, '') };
    } finally {
      await fetch.close();
    }
  }

  private takes(mimeType: string): boolean {
    return this.options.accepted?.test(mimeType) !== false;
  }
}

function hasFile({ inlineData, fileData, functionResponse }: Part): boolean {
  return inlineData !== undefined || fileData !== undefined || functionResponse?.parts !== undefined;
}

function refusalOf(mimeType: string): Prepared {
  return { refused: `the model takes no files of type ${mimeType}` };
}

/** Its name, else the last part of its URL's path. The query may hold a secret. */
function nameOf({ inlineData, fileData }: FileOwner): string {
  const { displayName } = inlineData ?? fileData ?? {};
  if (displayName !== undefined) return displayName;
  const uri = fileData?.fileUri ?? '';
  const name = URL.canParse(uri) ? new URL(uri).pathname.split('/').at(-1) : undefined;
  return name === undefined || name === '' ? 'without a name' : name;
}

const UNKNOWN_TYPES: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

function contentTypeOf({ headers }: Response): string {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The type that was stated, unless the server sent another kind of file, such as a page that asks to log in. */
function mediaTypeOf(response: Response, stated: string | undefined): string | undefined {
  const sent = contentTypeOf(response);
  if (stated === undefined || UNKNOWN_TYPES.has(stated)) return UNKNOWN_TYPES.has(sent) ? undefined : sent;
  if (UNKNOWN_TYPES.has(sent)) return stated;
  return sent.split('/')[0] === stated.split('/')[0] ? sent : undefined;
}

type SupportedUrls = readonly (readonly [mediaType: string, patterns: readonly RegExp[]])[];

/** The URLs that a provider reads itself, by media type; a package of another copy is read as unknown. */
async function readSupportedUrls({ supportedUrls }: ProviderModel): Promise<SupportedUrls> {
  const stated = await supportedUrls;
  if (!isJsonObject(stated)) return [];
  return Object.entries(stated).map(([type, patterns]) => [
    type,
    Array.isArray(patterns) ? patterns.filter((pattern) => pattern instanceof RegExp) : [],
  ]);
}

function isSupported(urls: SupportedUrls, uri: string, mediaType: string): boolean {
  return urls.some(
    ([type, patterns]) => matches(type, mediaType) && patterns.some((pattern) => pattern.test(uri)),
  );
}

/** `*`, `image/*` or `image/png`. */
function matches(pattern: string, mediaType: string): boolean {
  if (pattern === '*' || pattern === '*/*') return true;
  return pattern.endsWith('/*') ? mediaType.startsWith(pattern.slice(0, -1)) : pattern === mediaType;
}
