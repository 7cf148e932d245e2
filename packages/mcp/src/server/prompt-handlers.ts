import type { GetPromptResult } from '@modelcontextprotocol/server';

import type { Protocol, ProtocolServer } from './protocol.js';
import type { ServedPrompt, ServedPromptMessage } from './serve-options.js';

/** How many completions the protocol lets a server give. */
const MOST_COMPLETIONS = 100;

/** Lets clients list and get prompts, and complete their arguments. */
export function servePrompts(
  server: ProtocolServer,
  prompts: readonly ServedPrompt[],
  { ProtocolError, ProtocolErrorCode }: Pick<Protocol, 'ProtocolError' | 'ProtocolErrorCode'>,
): void {
  const invalid = (message: string): Error => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  const find = (name: string): ServedPrompt => {
    const found = prompts.find((prompt) => prompt.name === name);
    if (found !== undefined) return found;
    throw invalid(`There is no prompt "${name}".`);
  };
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, description, arguments: args = [] }) => ({
      name,
      ...(description !== undefined && { description }),
      arguments: args.map(({ complete: _complete, ...argument }) => argument),
    })),
  }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const prompt = find(params.name);
    const args = params.arguments ?? {};
    const missing = prompt.arguments?.find(
      ({ name, required }) => required === true && !Object.hasOwn(args, name),
    );
    if (missing !== undefined) throw invalid(`The argument "${missing.name}" is missing.`);
    return promptResult(prompt, await prompt.messages(args));
  });
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const known = ref.type === 'ref/prompt' ? find(ref.name).arguments : undefined;
    const values = await known?.find(({ name }) => name === argument.name)?.complete?.(argument.value);
    return { completion: { values: [...(values ?? [])].slice(0, MOST_COMPLETIONS) } };
  });
}

function promptResult(
  { description }: ServedPrompt,
  messages: string | readonly ServedPromptMessage[],
): GetPromptResult {
  const list = typeof messages === 'string' ? [{ role: 'user' as const, content: messages }] : messages;
  return {
    ...(description !== undefined && { description }),
    messages: list.map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? { type: 'text', text: content } : content,
    })) as GetPromptResult['messages'],
  };
}
