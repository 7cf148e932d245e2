/** A JSON object as it travels. */
export type Json = Readonly<Record<string, unknown>>;

/** One part of a content, of which there is more than is named here. */
export interface RecordedPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: Json };
  readonly functionResponse?: { readonly name?: string; readonly response?: Json };
}

export interface RecordedContent {
  readonly role?: string;
  readonly parts?: readonly RecordedPart[];
}

/** What of a recorded request is replayed. */
export interface RecordedBody {
  readonly contents?: readonly RecordedContent[];
  readonly systemInstruction?: RecordedContent;
  readonly tools?: readonly { readonly functionDeclarations?: readonly RecordedDeclaration[] }[];
  readonly toolConfig?: Json;
  readonly safetySettings?: readonly Json[];
  readonly generationConfig?: Json;
}

export interface RecordedDeclaration {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: Json;
  readonly parametersJsonSchema?: Json;
}

export function callsIn(content: RecordedContent | undefined): RecordedPart[] {
  return (content?.parts ?? []).filter(({ functionCall }) => functionCall !== undefined);
}

export function responsesIn(content: RecordedContent | undefined): RecordedPart[] {
  return (content?.parts ?? []).filter(({ functionResponse }) => functionResponse !== undefined);
}
