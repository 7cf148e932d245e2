import { type PendingRequestData, uiOfCall, uiResultOf } from '@adorn/core/backend';

import { callFromUi } from '../call-ui/call-from-ui.js';
import { isWaitingUiCall } from '../call-ui/call-ui-json.js';
import { RequestInvalidError } from '../errors.js';
import type { ResultFrame } from '../frames/frame.js';
import { faultOf } from '../frames/to-wire.js';
import type { Addressed, ServerContext } from '../server-context.js';

type Fields = Readonly<Record<string, unknown>>;

/** The type of pages. */
const PAGE_TYPE = 'text/html;profile=mcp-app';

/** The metadata by which `MCPAppRenderer` of the AI SDK finds the page of a call; undefined for a call without one. */
export function toolMetadata({ ui }: Pick<ResultFrame, 'ui'>): object | undefined {
  return ui === undefined ? undefined : { app: { resourceUri: ui, mimeType: PAGE_TYPE } };
}

/** The activity by which clients of AG-UI, such as CopilotKit, show the page of a call; undefined for a call without one. */
export interface McpAppsActivity {
  /** The id of its message, the same in a stream and in the history. */
  readonly id: string;
  readonly activityType: 'mcp-apps';
  readonly content: Fields;
}

/**
 * The activity of a result. Clients send back its `serverHash` with what the page asks for: it is the id of the call.
 *
 * @param toolInput the arguments of the call
 */
export function mcpAppsActivity(
  { id, ui, response, eventId }: Pick<ResultFrame, 'id' | 'ui' | 'response' | 'eventId'>,
  toolInput: object,
): McpAppsActivity | undefined {
  if (ui === undefined) return undefined;
  const content = { result: uiResultOf(response), resourceUri: ui, serverHash: id, toolInput };
  return { id: `${eventId}-${id}-ui`, activityType: 'mcp-apps', content };
}

/** What a page of AG-UI gets for a request. */
export interface McpAppsAnswer {
  readonly result: object;
  /** What somebody has to answer before the call of the page has its result. */
  readonly pending: readonly PendingRequestData[];
}

/** Answers a request of a page, as `forwardedProps.__proxiedMCPRequest` of AG-UI has it. Errors are results. */
export async function answerMcpApps(
  server: ServerContext,
  place: Addressed,
  request: Fields,
): Promise<McpAppsAnswer> {
  try {
    return await answerOf(server, place, request);
  } catch (error) {
    server.logger.info('a request of a page was refused', { error });
    return { result: { error: faultOf(error).message }, pending: [] };
  }
}

async function answerOf(
  server: ServerContext,
  place: Addressed,
  { serverHash, method, params }: Fields,
): Promise<McpAppsAnswer> {
  const fields = (typeof params === 'object' && params !== null ? params : {}) as Fields;
  const { userId, sessionId } = place.key;
  const ui = await uiOfCall(place.runner, { userId, sessionId, callId: String(serverHash) });
  if (method === 'resources/read') {
    if (fields['uri'] !== ui.resourceUri)
      throw new RequestInvalidError('the page reads another resource', `Read ${ui.resourceUri}.`, 'uri');
    const { uri, html: text, csp, permissions, prefersBorder } = await ui.read({ logger: server.logger });
    const asked = Object.fromEntries(permissions.map((name) => [name, {}]));
    const _meta = { ui: { csp, permissions: asked, prefersBorder } };
    return { result: { contents: [{ uri, mimeType: PAGE_TYPE, text, _meta }] }, pending: [] };
  }
  if (method === 'tools/call') {
    const { name, arguments: given } = fields;
    const args = (typeof given === 'object' && given !== null ? given : {}) as Fields;
    const outcome = await callFromUi(server, place, ui, { name: String(name), args });
    if (!isWaitingUiCall(outcome)) return { result: outcome, pending: [] };
    const text = 'The call waits for an answer of a person.';
    return { result: { content: [{ type: 'text', text }], isError: true }, pending: outcome.pending };
  }
  if (method === 'ping') return { result: {}, pending: [] };
  const cure = 'Pages read their page and call tools.';
  throw new RequestInvalidError(`the page asks for ${JSON.stringify(method)}`, cure, 'method');
}
