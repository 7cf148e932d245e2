import type { FileSearch, GoogleMaps, GoogleSearch, Tool as WireTool, VertexAISearch } from '@google/genai';

import { shareClass } from '../../metadata/shared-class.js';
import type { ProviderToolKind } from '../../models/model.js';
import { ToolConfigInvalidError } from '../errors.js';
import { Tool } from '../tool.js';

/** The fields of a provider tool. */
interface ProviderToolFields<Kind extends ProviderToolKind> {
  readonly name: string;
  readonly description: string;
  readonly kind: Kind;
  /** The options of the tool in a request. */
  readonly options: NonNullable<WireTool[Kind]>;
  /** The models that support it, for error messages: `a Gemini model, from Gemini 2 on`. */
  readonly needs: string;
  /** True if its results contain text from third parties, such as web pages. Default: false. */
  readonly untrusted?: boolean;
}

/**
 * A tool that the model's provider runs while the model answers, such as a web search. It is an entry in the `tools` of
 * each request; the model does not call it as a function, and it never runs here.
 */
export class ProviderTool<Kind extends ProviderToolKind = ProviderToolKind> extends Tool {
  static {
    shareClass(this, 'ProviderTool');
  }

  readonly name: string;
  readonly description: string;
  readonly kind: Kind;
  readonly needs: string;
  /** The tool in a request, shared by all of them. */
  readonly entry: Readonly<WireTool>;

  constructor({ name, description, kind, options, needs, untrusted = false }: ProviderToolFields<Kind>) {
    super({ untrusted });
    this.name = name;
    this.description = description;
    this.kind = kind;
    this.needs = needs;
    this.entry = Object.freeze({ [kind]: Object.freeze({ ...options }) });
  }

  declaration(): undefined {
    return undefined;
  }

  run(): undefined {
    return undefined;
  }

  override get origin(): string {
    return 'a built-in tool';
  }
}

const GEMINI_2 = 'a Gemini model, from Gemini 2 on';
const VERTEX_AI = 'a Gemini model on Vertex AI, from Gemini 2 on';
const AI_STUDIO = 'a Gemini model with an API key of Google AI Studio, from Gemini 2 on';

const SEARCH = searchTool({});
const URL_CONTEXT = new ProviderTool({
  name: 'url_context',
  description: 'Reads the web pages whose addresses the conversation names.',
  kind: 'urlContext',
  options: {},
  needs: GEMINI_2,
  untrusted: true,
});
const CODE_EXECUTION = new ProviderTool({
  name: 'code_execution',
  description: 'Runs Python code that the model writes, in a sandbox of Google.',
  kind: 'codeExecution',
  options: {},
  needs: GEMINI_2,
});
const MAPS = mapsTool({});

/**
 * Lets Gemini search the web with Google while it answers; the sources are in `groundingMetadata` of the event.
 *
 * @param options such as `excludeDomains` or `timeRangeFilter`. Default: none.
 */
export function googleSearch(options?: GoogleSearch): Tool {
  return options === undefined ? SEARCH : searchTool(options);
}

function searchTool(options: GoogleSearch): ProviderTool {
  return new ProviderTool({
    name: 'google_search',
    description: 'Searches the web with Google.',
    kind: 'googleSearch',
    options,
    needs: GEMINI_2,
    untrusted: true,
  });
}

/** Lets Gemini read the web pages that the conversation names; they are in `urlContextMetadata` of the event. */
export function urlContext(): Tool {
  return URL_CONTEXT;
}

/**
 * Lets Gemini write Python code and run it in a sandbox of Google while it answers. The code and its output are parts of
 * the event: `executableCode` and `codeExecutionResult`.
 */
export function builtInCodeExecution(): Tool {
  return CODE_EXECUTION;
}

/**
 * Lets Gemini look up places with Google Maps; the sources are in `groundingMetadata` of the event.
 *
 * @param options of Google Maps. Default: none.
 */
export function googleMaps(options?: GoogleMaps): Tool {
  return options === undefined ? MAPS : mapsTool(options);
}

function mapsTool(options: GoogleMaps): ProviderTool {
  return new ProviderTool({
    name: 'google_maps',
    description: 'Looks up places with Google Maps.',
    kind: 'googleMaps',
    options,
    needs: GEMINI_2,
    untrusted: true,
  });
}

/**
 * Lets Gemini search the documents of file search stores. Only with an API key of Google AI Studio.
 *
 * @throws {ToolConfigInvalidError} without a name in `fileSearchStoreNames`
 * @example
 * fileSearch({ fileSearchStoreNames: ['fileSearchStores/handbook'] })
 */
export function fileSearch(options: FileSearch): Tool {
  const names = namesOf(options);
  if (!Array.isArray(names) || names.length === 0) {
    throw new ToolConfigInvalidError(
      'file_search',
      'fileSearchStoreNames names no store',
      "Pass the names of the stores: fileSearch({ fileSearchStoreNames: ['fileSearchStores/…'] }).",
    );
  }
  return new ProviderTool({
    name: 'file_search',
    description: 'Searches documents in file search stores.',
    kind: 'fileSearch',
    options,
    needs: AI_STUDIO,
  });
}

/** JavaScript code may pass anything. */
function namesOf(options: FileSearch | undefined): unknown {
  return options?.fileSearchStoreNames;
}

/**
 * Lets Gemini search a data store or an engine of Vertex AI Search. Only on Vertex AI.
 *
 * @throws {ToolConfigInvalidError} unless exactly one of `datastore` and `engine` is given
 * @example
 * vertexAiSearch({ datastore: 'projects/p/locations/global/collections/default_collection/dataStores/handbook' })
 */
export function vertexAiSearch(options: VertexAISearch): Tool {
  if (sourcesOf(options).length !== 1) {
    throw new ToolConfigInvalidError(
      'vertex_ai_search',
      'exactly one of datastore and engine is needed',
      "Pass one resource name: vertexAiSearch({ datastore: 'projects/…' }).",
    );
  }
  return new ProviderTool({
    name: 'vertex_ai_search',
    description: 'Searches a data store of Vertex AI Search.',
    kind: 'retrieval',
    options: { vertexAiSearch: { ...options } },
    needs: VERTEX_AI,
  });
}

function sourcesOf(options: VertexAISearch | undefined): string[] {
  return [options?.datastore, options?.engine].filter(
    (source) => typeof source === 'string' && source !== '',
  ) as string[];
}
