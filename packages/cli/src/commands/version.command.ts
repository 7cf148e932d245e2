import { Command } from 'commander';

/** `adorn version`: the version of the command, as `adorn --version` prints it. */
export function versionCommand(version: string): Command {
  return new Command('version').description('print the version of the command').action(() => {
    console.log(version);
  });
}
