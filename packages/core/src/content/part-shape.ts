import type {
  CodeExecutionResult,
  ExecutableCode,
  FileData,
  FunctionResponsePart,
  VideoMetadata,
} from '@google/genai';

import type { Content, FunctionCall, FunctionResponse, Part } from './genai-types.js';

/**
 * What a field holds: a value of that type, `json` (any JSON value), `fields` (a JSON object with names of its
 * own), a message with known fields, or a list of such messages.
 */
export type FieldKind =
  'string' | 'boolean' | 'number' | 'json' | 'fields' | Shape | { readonly listOf: Shape };

/** The known fields of a message of Google's wire format. */
export interface Shape {
  /** How errors call it. */
  readonly label: string;
  readonly kinds: Readonly<Record<string, FieldKind | undefined>>;
  /** True if the message says something without any field: a call without a name is answered. */
  readonly mayBeEmpty: boolean;
}

/** One kind for every field of a type: a field that a new version of @google/genai adds does not compile without one. */
type Kinds<Message> = { readonly [Field in keyof Required<Message>]: FieldKind };

function shape<Message>(label: string, kinds: Kinds<Message>, mayBeEmpty = false): Shape {
  // Without a prototype, so that `constructor` or `__proto__` is no known field.
  return { label, kinds: Object.assign(Object.create(null) as Shape['kinds'], kinds), mayBeEmpty };
}

const BLOB = shape<{ data: string; mimeType: string; displayName: string }>('inlineData', {
  data: 'string',
  mimeType: 'string',
  displayName: 'string',
});

const FILE_DATA = shape<FileData>('fileData', {
  fileUri: 'string',
  mimeType: 'string',
  displayName: 'string',
});

const RESPONSE_PART = shape<FunctionResponsePart>('functionResponse.parts', {
  inlineData: BLOB,
  fileData: FILE_DATA,
  mediaProcessing: 'json',
});

const PART = shape<Part>('part', {
  text: 'string',
  thought: 'boolean',
  thoughtSignature: 'string',
  functionCall: shape<FunctionCall>(
    'functionCall',
    {
      id: 'string',
      name: 'string',
      args: 'fields',
      partialArgs: 'json',
      willContinue: 'boolean',
    },
    true,
  ),
  functionResponse: shape<FunctionResponse>(
    'functionResponse',
    {
      id: 'string',
      name: 'string',
      response: 'fields',
      willContinue: 'boolean',
      scheduling: 'string',
      parts: { listOf: RESPONSE_PART },
    },
    true,
  ),
  inlineData: BLOB,
  fileData: FILE_DATA,
  executableCode: shape<ExecutableCode>('executableCode', {
    code: 'string',
    language: 'string',
    id: 'string',
  }),
  codeExecutionResult: shape<CodeExecutionResult>('codeExecutionResult', {
    outcome: 'string',
    output: 'string',
    id: 'string',
  }),
  videoMetadata: shape<VideoMetadata>('videoMetadata', {
    startOffset: 'string',
    endOffset: 'string',
    fps: 'number',
  }),
  partMetadata: 'fields',
  toolCall: 'fields',
  toolResponse: 'fields',
  audioTranscription: 'fields',
  mediaProcessing: 'json',
  mediaResolution: 'json',
  speechMetadata: 'fields',
});

/** A content, with every field of its parts. */
export const CONTENT: Shape = shape<Content>('content', { role: 'string', parts: { listOf: PART } });
