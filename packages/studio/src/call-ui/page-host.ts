import type { UiResult } from '@adorn/core/backend';
import type { CallUiJson } from '@adorn/server/client';

/** What a page wants that a person decides. */
export type PageWish =
  { readonly kind: 'link'; readonly url: string } | { readonly kind: 'message'; readonly text: string };

/** What a page is shown with, and what it may do. */
export interface PageHostFields {
  /** What the page shows. */
  readonly shown: Pick<CallUiJson, 'args' | 'result'>;
  /** What the page is told of the host, such as `{ theme: 'dark' }`. */
  readonly context: object;
  /** Sends a message to the page. */
  readonly send: (message: object) => void;
  readonly callTool: (name: string, args: object) => Promise<UiResult>;
  /** Resolves to whether the person agreed. */
  readonly ask: (wish: PageWish) => Promise<boolean>;
  /** Called with the height that the page wants, in pixels, within limits. */
  readonly resize: (height: number) => void;
}

type Fields = Readonly<Record<string, unknown>>;

/** The revision of MCP Apps. */
const REVISION = '2026-01-26';
/** How many calls of a page may run at once. */
const MOST_CALLS = 8;
const LONGEST_MESSAGE = 4_000;
const LEAST_HEIGHT = 40;
const MOST_HEIGHT = 800;
const METHOD_NOT_FOUND = -32_601;
const FAILED = -32_000;

/** The host of one page (MCP Apps): answers what the page asks for. All that comes from the page is hostile. */
export class PageHost {
  private calls = 0;
  private isAsking = false;

  constructor(private readonly fields: PageHostFields) {}

  /** Takes a message of the page. Never throws. */
  receive(data: unknown): void {
    const { jsonrpc, id, method, params } = fieldsOf(data);
    if (jsonrpc !== '2.0' || typeof method !== 'string') return;
    if (typeof id === 'string' || typeof id === 'number') void this.answer(id, method, fieldsOf(params));
    else this.notice(method, fieldsOf(params));
  }

  private async answer(id: string | number, method: string, params: Fields): Promise<void> {
    try {
      this.reply({ id, result: await this.resultOf(method, params) });
    } catch (error) {
      const isUnknown = error instanceof UnknownMethodError;
      const message = error instanceof Error ? error.message : 'It failed.';
      this.reply({ id, error: { code: isUnknown ? METHOD_NOT_FOUND : FAILED, message } });
    }
  }

  private async resultOf(method: string, params: Fields): Promise<object> {
    switch (method) {
      case 'ui/initialize':
        return {
          protocolVersion: REVISION,
          hostInfo: { name: 'adorn-studio', version: '0.1.0' },
          hostCapabilities: { openLinks: {}, serverTools: {}, message: { text: {} } },
          hostContext: this.fields.context,
        };
      case 'ping':
        return {};
      case 'tools/call':
        return this.callTool(params);
      case 'ui/open-link':
        return this.decided(linkIn(params));
      case 'ui/message':
        return this.decided(messageIn(params));
      case 'ui/request-display-mode':
        return { mode: 'inline' };
      default:
        throw new UnknownMethodError(`The studio has no ${method.slice(0, 64)}.`);
    }
  }

  private notice(method: string, { height }: Fields): void {
    if (method === 'ui/notifications/initialized') this.show();
    if (method !== 'ui/notifications/size-changed' || typeof height !== 'number') return;
    if (Number.isFinite(height)) this.fields.resize(Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, height)));
  }

  private show(): void {
    const { args, result } = this.fields.shown;
    this.reply({ method: 'ui/notifications/tool-input', params: { arguments: args } });
    this.reply({ method: 'ui/notifications/tool-result', params: result });
  }

  private async callTool({ name, arguments: args }: Fields): Promise<UiResult> {
    if (typeof name !== 'string') throw new Error('The call names no tool.');
    if (this.calls >= MOST_CALLS) throw new Error(`${String(MOST_CALLS)} calls of the page run already.`);
    this.calls++;
    try {
      return await this.fields.callTool(name, fieldsOf(args));
    } finally {
      this.calls--;
    }
  }

  /** The person is asked one thing at a time; what comes meanwhile is refused. */
  private async decided(wish: PageWish | undefined): Promise<object> {
    if (wish === undefined || this.isAsking) return { isError: true };
    this.isAsking = true;
    try {
      return (await this.fields.ask(wish)) ? {} : { isError: true };
    } finally {
      this.isAsking = false;
    }
  }

  private reply(message: object): void {
    this.fields.send({ jsonrpc: '2.0', ...message });
  }
}

class UnknownMethodError extends Error {}

/** An address that a person may open, in full. */
function linkIn({ url }: Fields): PageWish | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { protocol, username, password, href } = new URL(url);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && username === '' && password === '' ? { kind: 'link', url: href } : undefined;
}

function messageIn({ content }: Fields): PageWish | undefined {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => fieldsOf(block)['text']).filter((text) => typeof text === 'string');
  const text = texts.join('\n').slice(0, LONGEST_MESSAGE);
  return text.trim() === '' ? undefined : { kind: 'message', text };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
