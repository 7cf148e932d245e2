import type { Content } from '@adorn/core';
import { isObject, type LiveEvent, type LiveSetup, type LiveSetupChange } from '@adorn/core/backend';
import type { LiveToolResponse } from '@adorn/core/backend';

import type { Canonical, RecordedRequest } from '../recorded-request.js';
import { inOrder } from '../recorded-request.js';

/** What a session has sent, in the form in which it is recorded: JSON without ids, times and secrets. */
export type SentFrame = Readonly<Record<string, unknown>> & { readonly kind: string };

/** Something that a session has sent, or that the model has reported, in the order in which it happened. */
export interface LiveFrame {
  /** Milliseconds since the frame before, or since the connection was opened. */
  readonly after: number;
  readonly sent?: SentFrame;
  /** Bytes are base64. */
  readonly event?: Readonly<Record<string, unknown>> & { readonly kind: string };
}

/** The setup of a connection as it is recorded; a handle by which it continues another one says only that it does. */
export function recordedSetup(model: string, setup: LiveSetup, canonical: Canonical): RecordedRequest {
  const { tools, resume, config, ...others } = setup;
  const asked = {
    model,
    ...others,
    config,
    tools: inOrder(tools),
    ...(resume !== undefined && { resume: true }),
  };
  return canonical.value(JSON.parse(JSON.stringify(asked)), '') as RecordedRequest;
}

/** The frames of what a session sends. */
export class SentFrames {
  constructor(private readonly canonical: Canonical) {}

  contents(contents: readonly Content[], respond: boolean): SentFrame {
    return this.frame('contents', { contents, respond });
  }

  /** Their ids are numbered like those of calls. */
  responses(responses: readonly LiveToolResponse[]): SentFrame {
    return this.frame('responses', {
      responses: responses.map((functionResponse) => ({ functionResponse })),
    });
  }

  update({ instruction, tools, backgroundTools }: LiveSetupChange): SentFrame {
    return this.frame('update', { instruction, tools: inOrder(tools), backgroundTools });
  }

  private frame(kind: string, fields: object): SentFrame {
    const value = this.canonical.value(JSON.parse(JSON.stringify(fields)), '') as object;
    return { kind, ...value };
  }
}

/** An event as it is recorded. */
export function recordedEvent(event: LiveEvent): NonNullable<LiveFrame['event']> {
  if (event.kind !== 'audio') return event;
  return { ...event, data: Buffer.from(event.data).toString('base64') };
}

/** The event of a recorded one. */
export function replayedEvent(event: NonNullable<LiveFrame['event']>): LiveEvent {
  if (event.kind !== 'audio') return structuredClone(event) as unknown as LiveEvent;
  return { kind: 'audio', data: new Uint8Array(Buffer.from(String(event['data']), 'base64')) };
}

/** True for a frame of a file. */
export function isLiveFrame(value: unknown): value is LiveFrame {
  if (!isObject(value) || typeof value['after'] !== 'number') return false;
  const { sent, event } = value;
  return [sent, event].filter((one) => isObject(one) && typeof one['kind'] === 'string').length === 1;
}
