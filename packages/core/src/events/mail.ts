/** What was sent to a conversation and is not in its log yet: a message, or an answer to a request. */
export interface Mail {
  /** Unique in the session. */
  readonly id: string;
  /** What was sent, as JSON. Written and read by the runner; a store keeps it as it is. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Why the process that has the session did not take it. Whoever sent it reads this, and removes it. */
  readonly refusal?: string | undefined;
}

/** The key under which a store consumes a mail with the event that it becomes: once, whoever takes it. */
export function consumedAs({ id }: Pick<Mail, 'id'>): string {
  return `mail:${id}`;
}
