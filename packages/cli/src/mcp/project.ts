import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';

import { inject, tool, ToolError } from 'adorn';

import { AdornCommand } from './adorn-command.js';

const LIMIT_MS = 120_000;

/** Tools over the project that a coding agent works on. Each runs a command in a process of its own, so that it sees the files as they are now. */
export class Project {
  constructor(@inject(AdornCommand) private readonly command: AdornCommand) {}

  /**
   * Checks the tools in the sources of the project without running them: what cannot work or will not work well, and how many tokens each tool costs.
   *
   * @param project the tsconfig, or the folder with tsconfig.json
   */
  @tool({ effect: 'read', timeout: LIMIT_MS })
  checkProject(project = '.', signal: AbortSignal): Promise<string> {
    return this.command.run(['check', '--project', this.inside(project)], { signal });
  }

  /**
   * Shows the request that a message would send to the model: instruction, tools, history, settings, with sizes. Loads the application, and calls
   * no model and no tool.
   *
   * @param file a .js or .ts file that exports an agent or a runner, or a folder that holds one
   * @param message the message of the user
   */
  @tool({ effect: 'write', timeout: LIMIT_MS })
  explainRequest(file: string, message: string, signal: AbortSignal): Promise<string> {
    return this.command.run(['explain', this.inside(file), '--', message], { signal });
  }

  /**
   * Plays a conversation with an agent of the project on the offline model, which needs no key: it matches words to tools and does not reason. Tools
   * run as they are. A call that asks for confirmation is made only if the next line is "y".
   *
   * @param file a .js or .ts file that exports an agent, or a folder that holds one
   * @param lines messages of the user, and "y" or "n" as answers to questions
   */
  @tool({ effect: 'write', timeout: LIMIT_MS })
  runOffline(file: string, lines: string[], signal: AbortSignal): Promise<string> {
    const input = lines.map((line) => line.replaceAll(/[\r\n]+/g, ' ')).join('\n');
    return this.command.run(['run', this.inside(file), '--model', 'offline'], { input, signal });
  }

  /** @throws {ToolError} for a path that leads out of the folder, or to nothing */
  private inside(path: string): string {
    const { folder } = this.command;
    const found = realPath(resolve(folder, path));
    if (found === undefined) throw new ToolError(`There is no ${path} in ${folder}.`);
    const local = relative(realpathSync(folder), found);
    if (local.startsWith('..') || isAbsolute(local))
      throw new ToolError(`${path} is not in ${folder}, the folder that this server was started for.`);
    return found;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
