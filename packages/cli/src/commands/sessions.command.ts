import { defineGroup } from '../command/declaration.js';
import { deleteCommand } from './sessions/delete.command.js';
import { exportCommand } from './sessions/export.command.js';
import { feedbackCommand } from './sessions/feedback.command.js';
import { forkCommand } from './sessions/fork.command.js';
import { importCommand } from './sessions/import.command.js';
import { listCommand } from './sessions/list.command.js';
import { parkedCommand } from './sessions/parked.command.js';
import { rewindCommand } from './sessions/rewind.command.js';
import { showCommand } from './sessions/show.command.js';

/** `adorn sessions`: what is stored of conversations. */
export const sessionsCommand = defineGroup({
  name: 'sessions',
  summary: 'list, show, copy, move and delete conversations',
  commands: [
    listCommand,
    showCommand,
    feedbackCommand,
    exportCommand,
    importCommand,
    rewindCommand,
    forkCommand,
    deleteCommand,
    parkedCommand,
  ],
  byDefault: 'list',
});
