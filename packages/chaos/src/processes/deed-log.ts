import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What a tool did. */
export interface Deed {
  readonly sessionId: string;
  readonly kind: 'began' | 'effect';
  readonly tool: string;
  /** The idempotency key of the call. */
  readonly key: string;
}

/** The deeds of tools, in a file that outlives its processes and that several processes write. */
export class DeedLog {
  constructor(readonly file: string) {}

  note({ sessionId, kind, tool, key }: Deed): void {
    appendFileSync(this.file, `${sessionId} ${kind} ${tool} ${key}\n`);
  }

  of(session: string): Deed[] {
    return this.all().filter(({ sessionId }) => sessionId === session);
  }

  all(): Deed[] {
    if (!existsSync(this.file)) return [];
    return readFileSync(this.file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' '))
      .map(([sessionId = '', kind, tool = '', key = '']) => {
        return { sessionId, kind: kind === 'effect' ? kind : 'began', tool, key };
      });
  }
}
