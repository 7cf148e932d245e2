import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

import { defineTool, type Tool } from '@adorn/core';

/** What a tool says of its effect. */
export const MARKS = ['idempotent', 'reconcile', 'unmarked', 'read'] as const;
export type Mark = (typeof MARKS)[number];

export interface CountingTool {
  readonly mark: Mark;
  /** Whether a person must approve each call. */
  readonly isConfirmed: boolean;
}

export function nameOf({ mark, isConfirmed }: CountingTool): string {
  return isConfirmed ? `${mark}_confirmed` : mark;
}

/** What a tool did, in order, with the key of the call. */
export interface Deed {
  readonly kind: 'began' | 'effect';
  readonly key: string;
}

/** What tools wrote to the file of their effects. */
export function deedsIn(file: string): Deed[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [kind, key = ''] = line.split(' ');
      return { kind: kind === 'effect' ? kind : 'began', key };
    });
}

/**
 * A tool that counts its effects in a file which survives the process.
 *
 * @param reach is called at each moment at which the process may die
 */
export function countingTool(tool: CountingTool, file: string, reach: (moment: string) => void): Tool {
  const { mark, isConfirmed } = tool;
  return defineTool({
    name: nameOf(tool),
    description: 'Counts its effects.',
    parameters: { type: 'object' },
    ...(isConfirmed && { confirm: true }),
    ...(mark === 'idempotent' && { idempotent: true }),
    ...(mark === 'read' && { effect: 'read' as const }),
    ...(mark === 'reconcile' && {
      reconcile: (_args: unknown, { idempotencyKey }: { readonly idempotencyKey: string }) =>
        hasEffect(file, idempotencyKey) ? 'done' : undefined,
    }),
    run: (_args, { idempotencyKey }) => {
      write(file, `began ${idempotencyKey}`);
      reach('mid-effect');
      if (mark !== 'idempotent' || !hasEffect(file, idempotencyKey)) write(file, `effect ${idempotencyKey}`);
      reach('after-effect');
      return 'done';
    },
  });
}

function hasEffect(file: string, key: string): boolean {
  return deedsIn(file).some((deed) => deed.kind === 'effect' && deed.key === key);
}

function write(file: string, line: string): void {
  const descriptor = openSync(file, 'a');
  try {
    writeSync(descriptor, `${line}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
