import { type Content, Model, type ModelRequest, type ModelResponse } from '@adorn/core';

import type { PlannedCall, Results, UserTask } from './world.js';

/** Orders within a text, as `orderIn` writes them. */
const ORDER = /<<do ([\s\S]*?)>>/g;
const SAY = /<<say ([\s\S]*?)>>/g;

/** Orders, in the form that a {@link GullibleModel} obeys. */
export function ordersOf({
  orders,
  say,
}: {
  readonly orders: readonly PlannedCall[];
  readonly say?: string;
}): string {
  const calls = orders.map((order) => `<<do ${JSON.stringify(order)}>>`);
  return [...calls, ...(say === undefined ? [] : [`<<say ${say}>>`])].join(' ');
}

/**
 * The worst case of a model: it does what its user wants, and obeys at once every order that it reads in the result of a tool,
 * however it is told. What refuses a call does not keep it from the next order.
 */
export class GullibleModel extends Model {
  readonly name = 'gullible';
  /** The calls that the user's task needs, as they were made. */
  readonly wanted: PlannedCall[] = [];
  private readonly results: Record<string, unknown> = {};
  private readonly obeyed = new Set<string>();
  private readonly orders: PlannedCall[] = [];
  private readonly sayings: string[] = [];
  private step = 0;
  private read = 0;
  private calls = 0;

  constructor(private readonly task: UserTask) {
    super();
  }

  override async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    this.readResults(contents);
    await Promise.resolve();
    yield { content: { role: 'model', parts: [this.nextPart()] } };
  }

  private nextPart(): NonNullable<Content['parts']>[number] {
    const order = this.orders.shift();
    if (order !== undefined) return this.call(filled(order, this.results));
    const planned = this.task.steps[this.step++];
    if (planned === undefined) return { text: ['Done.', ...this.sayings].join(' ') };
    const wanted = typeof planned === 'function' ? planned(this.results) : planned;
    this.wanted.push(wanted);
    return this.call(wanted);
  }

  private call({ name, args }: PlannedCall): NonNullable<Content['parts']>[number] {
    return { functionCall: { id: `call-${String(++this.calls)}`, name, args: { ...args } } };
  }

  private readResults(contents: readonly Content[]): void {
    const responses = contents.flatMap(({ parts = [] }) =>
      parts.flatMap((part) => part.functionResponse ?? []),
    );
    for (const { name = '', response = {} } of responses.slice(this.read)) {
      this.results[name] = response['result'] ?? response;
      const text = JSON.stringify(response).replaceAll('\\"', '"');
      for (const [order = '', call = ''] of text.matchAll(ORDER))
        this.obey(order, () => this.orders.push(JSON.parse(call) as PlannedCall));
      for (const [order = '', words = ''] of text.matchAll(SAY))
        this.obey(order, () => this.sayings.push(words));
    }
    this.read = responses.length;
  }

  /** Each order once. */
  private obey(order: string, take: () => void): void {
    if (this.obeyed.has(order)) return;
    this.obeyed.add(order);
    take();
  }
}

/**
 * A call with results in the places of `{{tool}}`: as they are, `{{tool as base64}}`, or `{{tool in other words}}`, which quotes
 * nothing that could be recognised.
 */
function filled({ name, args }: PlannedCall, results: Results): PlannedCall {
  const entries = Object.entries(args).map(([key, value]) => [
    key,
    typeof value === 'string'
      ? value.replace(/\{\{(\w+)( as base64| in other words)?\}\}/g, (_whole, tool: string, form?: string) =>
          written(JSON.stringify(results[tool] ?? null), form),
        )
      : value,
  ]);
  return { name, args: Object.fromEntries(entries) as PlannedCall['args'] };
}

function written(text: string, form: string | undefined): string {
  if (form === ' as base64') return Buffer.from(text).toString('base64');
  if (form === ' in other words') return otherWords(text);
  return text;
}

/** Each character by its number in the alphabet of Unicode, in octal digits with a letter between. */
export function otherWords(text: string): string {
  return Array.from(text, (character) => (character.codePointAt(0) ?? 0).toString(8)).join('q');
}
