import { AdornError } from '@adorn/core';

const SHOWN_LENGTH = 200;

/**
 * The refusal of a call, shortened: a failed test would otherwise print a name of thousands of characters.
 */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

export async function refusalOf(call: Promise<unknown> | (() => Promise<unknown>)): Promise<Refusal> {
  try {
    await (typeof call === 'function' ? call() : call);
  } catch (error) {
    if (!AdornError.is(error)) throw error;
    return { code: error.code, message: error.message.slice(0, SHOWN_LENGTH) };
  }
  return { code: 'NONE', message: 'It was not refused.' };
}
