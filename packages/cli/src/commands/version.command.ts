import { defineCommand } from '../command/declaration.js';
import { json } from '../command/shared-parameters.js';
import { printJson } from '../terminal/print.js';

/** `adorn version`: the versions of the command, of Node and of the platform. `adorn --version` prints only the first. */
export const versionCommand = defineCommand({
  name: 'version',
  summary: 'print the version of the command',
  options: { json: json('print the versions of the command and of Node, and the platform, as JSON') },
  examples: ['adorn version', 'adorn version --json'],
  run({ json: isJson }, { version, output }) {
    const { versions, platform, arch } = process;
    if (isJson) printJson(output, { adorn: version, node: versions.node, platform, arch });
    else output.write(`${version}\n`);
  },
});
