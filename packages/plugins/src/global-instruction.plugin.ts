import {
  type CallbackContext,
  type GenerateContentConfig,
  type ModelRequest,
  type Part,
  Plugin,
} from '@adorn/core';
import {
  type Instruction,
  type InstructionProvider,
  instructionProvider,
  kindOf,
  PluginOptionInvalidError,
} from '@adorn/core/backend';

/**
 * Puts an instruction before the system instruction of every agent of a runner. Placeholders in a string are filled in as
 * in an agent's `instruction`; a function of the context is called for each request.
 */
export class GlobalInstructionPlugin extends Plugin {
  readonly name: string = 'global_instruction';
  private readonly textOf: InstructionProvider;

  /** @throws {PluginOptionInvalidError} if it is neither a text nor a function */
  constructor(instruction: Instruction) {
    super();
    const given: unknown = instruction;
    if (typeof given !== 'function' && (typeof given !== 'string' || given === '')) {
      const fault = `its instruction is ${given === '' ? 'empty' : kindOf(given)}. Pass a text or a function.`;
      throw new PluginOptionInvalidError('GlobalInstructionPlugin', fault);
    }
    this.textOf = typeof instruction === 'function' ? checked(instruction) : instructionProvider(instruction);
  }

  override async beforeModel(request: ModelRequest, context: CallbackContext): Promise<undefined> {
    const text = await this.textOf(context);
    if (text === '') return;
    const { systemInstruction } = request.config;
    request.config = { ...request.config, systemInstruction: withText(text, systemInstruction) };
  }
}

function checked(instruction: InstructionProvider): InstructionProvider {
  return async (context) => {
    const text: unknown = await instruction(context);
    if (typeof text === 'string') return text;
    const fault = `its instruction returned ${kindOf(text)}. Return a text.`;
    throw new PluginOptionInvalidError('GlobalInstructionPlugin', fault);
  };
}

type SystemInstruction = NonNullable<GenerateContentConfig['systemInstruction']>;

/** An earlier callback may have replaced the text with parts. */
function withText(text: string, own: SystemInstruction | undefined): SystemInstruction {
  if (own === undefined || own === '') return text;
  if (typeof own === 'string') return `${text}\n\n${own}`;
  if (Array.isArray(own)) return [text, ...own];
  if ('parts' in own) return { ...own, parts: [{ text }, ...(own.parts ?? [])] };
  return [text, own as Part];
}
