import { estimateTokens } from '@adorn/core/compiler';
import type { Content, Part } from 'adorn';
import type { ClosedToolsCount, Explanation, FunctionDeclaration } from '@adorn/core/backend';

import { counted } from '../terminal/counted.js';
import type { Line } from '../terminal/palette.js';
import { printable } from 'adorn/main';

/** A request as text: agent and model, instruction, contents, tools, settings, sizes. */
export function explanationLines(explanation: Explanation): Line[] {
  const { agent, model, config, contents, closed = [], labels = {} } = explanation;
  const { systemInstruction, tools = [], ...settings } = config;
  const declared = (tools as object[]).flatMap(declarationsOf);
  const others = (tools as object[]).filter((entry) => !('functionDeclarations' in entry));
  return [
    note(`agent ${agent}, model ${model}`),
    ...section('instruction', instructionLines(systemInstruction)),
    ...section(counted(contents.length, 'content'), contents.flatMap(contentLines)),
    ...section(counted(declared.length + others.length, 'tool'), [
      ...declared.flatMap((declaration) => declarationLines(declaration, labels[declaration.name ?? ''])),
      ...others.map((entry) => plain(JSON.stringify(entry))),
      ...closed.map(closedLine),
    ]),
    ...section('settings', Object.keys(settings).length === 0 ? [] : jsonLines(settings)),
    ...section('sizes', sizeLines(explanation)),
  ];
}

function closedLine({ opener, tools, open }: ClosedToolsCount): Line {
  return note(`${opener} gives ${counted(tools, 'more tool')}, of which ${String(open)} are declared here`);
}

function section(title: string, lines: readonly Line[]): Line[] {
  return [plain(''), { tone: 'title', text: title }, ...(lines.length > 0 ? lines : [note('none')])];
}

function instructionLines(instruction: unknown): Line[] {
  if (instruction === undefined) return [];
  return typeof instruction === 'string' ? textLines(instruction) : jsonLines(instruction);
}

function contentLines({ role = 'user', parts = [] }: Content): Line[] {
  return parts.flatMap((part) => {
    const [first, ...rest] = partLines(part);
    return first ? [{ ...first, text: `${role}: ${first.text}` }, ...rest] : [];
  });
}

function partLines(part: Part): Line[] {
  const { text, functionCall, functionResponse } = part;
  if (text !== undefined) return textLines(text);
  if (functionCall)
    return [line('call', `${functionCall.name ?? ''}(${JSON.stringify(functionCall.args ?? {})})`)];
  if (functionResponse)
    return [
      line('result', `${functionResponse.name ?? ''} = ${JSON.stringify(functionResponse.response ?? {})}`),
    ];
  return [line('note', JSON.stringify(part))];
}

function declarationsOf(entry: object): FunctionDeclaration[] {
  return 'functionDeclarations' in entry ? (entry.functionDeclarations as FunctionDeclaration[]) : [];
}

function declarationLines(
  { name = '', description = '', ...schemas }: FunctionDeclaration,
  labels: readonly string[] = [],
): Line[] {
  const details = Object.entries(schemas).filter(([, schema]) => schema !== undefined);
  return [
    line('call', labels.length > 0 ? `${name} [${labels.join(', ')}]` : name),
    ...description
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => plain(`  ${text}`)),
    ...details.map(([field, schema]) => note(`  ${field} ${JSON.stringify(schema)}`)),
  ];
}

function sizeLines(explanation: Explanation): Line[] {
  return requestSizes(explanation).flatMap((size) => [
    plain(sizeText(size)),
    ...(size.within ?? []).map((one) => note(sizeText({ ...one, part: `  ${one.part}` }))),
  ]);
}

function sizeText({ part, bytes, tokens }: PartSize): string {
  return `${part.padEnd(12)}${String(bytes).padStart(9)} bytes  some ${String(tokens)} tokens`;
}

function textLines(text: string): Line[] {
  return text.split('\n').map(plain);
}

function jsonLines(value: unknown): Line[] {
  return textLines(JSON.stringify(value, undefined, 2));
}

function plain(text: string): Line {
  return line('answer', text);
}

function note(text: string): Line {
  return line('note', text);
}

/** What a model or a user wrote may hold sequences that command a terminal. */
function line(tone: Line['tone'], text: string): Line {
  return { tone, text: printable(text) };
}

/** The size of one part of a request. */
interface PartSize {
  readonly part: string;
  /** Of its JSON, in UTF-8. */
  readonly bytes: number;
  readonly tokens: number;
  /** What it is made of, the largest first. */
  readonly within?: readonly PartSize[];
}

/** The sizes of the parts of a request, and of all. */
export function requestSizes({ config, contents }: Explanation): PartSize[] {
  const { systemInstruction, tools, ...settings } = config;
  const parts = Object.entries({ instruction: systemInstruction, tools, history: contents, settings }).map(
    ([part, value]) =>
      part === 'history' ? { ...sizeOf(part, value), within: historySizes(contents) } : sizeOf(part, value),
  );
  const sum = (field: 'bytes' | 'tokens'): number => parts.reduce((total, part) => total + part[field], 0);
  return [...parts, { part: 'total', bytes: sum('bytes'), tokens: sum('tokens') }];
}

/** The sizes of messages, answers, thoughts, calls, and of the results of each tool. */
function historySizes(contents: readonly Content[]): PartSize[] {
  const kinds = new Map<string, Part[]>();
  for (const { role, parts = [] } of contents)
    for (const part of parts) {
      const kind = kindOfPart(part, role);
      kinds.set(kind, [...(kinds.get(kind) ?? []), part]);
    }
  return [...kinds].map(([kind, parts]) => sizeOf(kind, parts)).sort((one, other) => other.bytes - one.bytes);
}

function kindOfPart(
  { text, thought, functionCall, functionResponse }: Part,
  role: string | undefined,
): string {
  if (functionResponse) return `results of ${printable(functionResponse.name ?? '')}`;
  if (functionCall) return 'calls';
  if (thought === true) return 'thoughts';
  if (text === undefined) return 'files';
  return role === 'model' ? 'answers' : 'messages';
}

function sizeOf(part: string, value: unknown): PartSize {
  const json = typeof value === 'string' ? value : isEmpty(value) ? '' : JSON.stringify(value);
  return { part, bytes: Buffer.byteLength(json), tokens: estimateTokens(json) };
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}
