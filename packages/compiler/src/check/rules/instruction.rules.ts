import type { Rule } from './rule.js';

/** As much text behind a placeholder costs nothing that anybody would notice. */
const MOST_BEHIND = 400;

export const earlyPlaceholder: Rule = {
  name: 'early-placeholder',
  severity: 'warning',
  about: `a placeholder of an instruction before more than ${String(MOST_BEHIND)} characters that never change`,
  ofAgent({ name, instruction }) {
    const [, ...behind] = instruction?.pieces ?? [];
    const length = behind.join('').length;
    if (!instruction || length <= MOST_BEHIND) return [];
    const message =
      `The instruction of agent ${name} has a placeholder before ${String(length)} characters that never change: ` +
      'they are billed in full whenever its value differs.';
    const cure =
      'Move placeholders to the end of the instruction, or the constant text into staticInstruction.';
    return [{ node: instruction.node, message, cure }];
  },
};

export const dynamicInstruction: Rule = {
  name: 'dynamic-instruction',
  severity: 'note',
  about: 'an instruction that is a function, and stands before the conversation',
  ofAgent({ name, instruction }) {
    if (!instruction || instruction.pieces) return [];
    const message =
      `The instruction of agent ${name} is a function: the conversation behind it is billed in full whenever its text ` +
      'differs.';
    const cure = 'Put the constant text into staticInstruction: the function then follows the conversation.';
    return [{ node: instruction.node, message, cure }];
  },
};
