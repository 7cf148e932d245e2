import { parseArgs } from 'node:util';

const HELP = `Plays one program in every way that people run TypeScript, from the packed packages, and compares.

  npm run matrix -- [--only NAME,…] [--keep]

  --only NAME  only the projects whose names hold one of these words
  --keep       leaves the folder with all projects, and says where it is
  --list       the names of all projects and cells
  --help       this text

The exit code is 1 where a cell does not do what is expected of it.`;

/** Ends the process where there is nothing to play. */
export function parseOptions(args, projects) {
  const { only, keep, list, help } = valuesOf(args);
  if (help) leave(0, HELP);
  if (list)
    leave(0, projects.flatMap(({ name, cells }) => cells.map((cell) => `${name}: ${cell.name}`)).join('\n'));
  const words = only?.split(',') ?? [''];
  const chosen = projects.filter(({ name }) => words.some((word) => name.includes(word)));
  if (chosen.length === 0) leave(2, `There is no project named like ${only}; --list names them all.`);
  return { only: chosen, keep };
}

function valuesOf(args) {
  try {
    return parseArgs({
      args,
      options: {
        only: { type: 'string' },
        keep: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return leave(2, `${error.message}\n\n${HELP}`);
  }
}

function leave(code, text) {
  console[code === 0 ? 'log' : 'error'](text);
  process.exit(code);
}
