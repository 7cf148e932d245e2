import { defineCommand } from '../command/declaration.js';
import type { Parameter } from '../command/parameter.js';
import { completionScript, type Shell, SHELLS } from '../completion/scripts.js';

const SHELL: Parameter<Shell> = {
  placeholder: '<shell>',
  description: 'the shell',
  choices: SHELLS,
  isRequired: true,
};

/** `adorn completion`: the script with which a shell completes commands, options, their values and files. */
export const completionCommand = defineCommand({
  name: 'completion',
  summary: 'print the script with which a shell completes command lines of adorn',
  arguments: { shell: SHELL },
  notes: 'The script asks `adorn complete`, so it stays right when the command is updated.',
  examples: [
    "echo 'source <(adorn completion bash)' >> ~/.bashrc",
    "echo 'source <(adorn completion zsh)' >> ~/.zshrc",
    'adorn completion fish > ~/.config/fish/completions/adorn.fish',
  ],
  run({ shell }, { output }) {
    output.write(completionScript(shell));
  },
});
