import type { RecordedExchange } from '@adorn/testing';

/** One file of recorded traffic. */
export interface Recording {
  /** Its path beneath the folder of the recordings. */
  readonly path: string;
  /** The folder it stands in at the top: the project that recorded it. */
  readonly group: string;
  readonly exchanges: readonly RecordedExchange[];
}

/** Whether the requests were kept too. */
export function isConversation({ exchanges }: Recording): boolean {
  return exchanges.every(({ request }) => request !== undefined);
}
