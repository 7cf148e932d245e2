import { writeFileSync } from 'node:fs';

import { TemporaryProject } from '../fixtures/temporary-project.js';
import { migrateCode, type MigratedFile } from './migrate-code.js';

/** A program is made here, on a machine that may have other work. */
const SLOW = 60_000;

const CHANNELS = `
export interface ChannelPerson { readonly id: string; readonly organization: string }
export interface ChannelMessage { readonly person: ChannelPerson }
export declare function tell(person: ChannelPerson): void;
`;
const FLEET = `
export interface WorkerOptions { readonly sweepAfter?: number }
export declare function startWorker(options: WorkerOptions): void;
`;

describe('migrateCode', () => {
  let project: TemporaryProject;
  beforeEach(() => {
    project = new TemporaryProject();
    for (const [name, types] of Object.entries({ channels: CHANNELS, fleet: FLEET })) {
      const folder = `node_modules/@adorn/${name}`;
      project.write(
        `${folder}/package.json`,
        JSON.stringify({ name: `@adorn/${name}`, types: 'index.d.ts' }),
      );
      project.write(`${folder}/index.d.ts`, types);
    }
  });
  afterEach(() => {
    project.remove();
  });

  function migrated(text: string): MigratedFile | undefined {
    return migrateCode([project.write('src/a.ts', text)])[0];
  }

  it(
    'renames members where the type of an object has them, and those that are spelt alike nowhere else',
    () => {
      const file = migrated(`import { type ChannelMessage, type ChannelPerson, tell } from '@adorn/channels';
interface Player { team: string }
export function read({ person }: ChannelMessage, { team: of }: ChannelPerson, player: Player): string {
  const { team } = player, other = { team };
  tell({ id: '1', team });
  tell({ id: '1', 'team': person.team });
  return team + person.team + of + other.team + player.team;
}
`);

      expect(file?.after)
        .toBe(`import { type ChannelMessage, type ChannelPerson, tell } from '@adorn/channels';
interface Player { team: string }
export function read({ person }: ChannelMessage, { organization: of }: ChannelPerson, player: Player): string {
  const { team } = player, other = { team };
  tell({ id: '1', organization: team });
  tell({ id: '1', 'organization': person.organization });
  return team + person.organization + of + other.team + player.team;
}
`);
      expect(file?.changes).toEqual([
        {
          from: { entry: '@adorn/channels', name: 'ChannelPerson.team' },
          to: { entry: '@adorn/channels', name: 'ChannelPerson.organization' },
        },
      ]);
      expect(migrated(file?.after ?? '')).toBeUndefined();
    },
    SLOW,
  );

  it(
    'reads types with the names of today, and says where the file that it has written has what is left',
    () => {
      const file = migrated(`import {
  keyOf } from 'adorn';
import { startWorker } from '@adorn/pg-boss';

keyOf(startWorker({ sweepInterval: 1 }));
`);

      expect(file?.after).toContain(`import { startWorker } from '@adorn/fleet';`);
      expect(file?.packages).toEqual({ '@adorn/fleet': '@adorn/pg-boss' });
      expect(file?.byHand).toEqual([expect.objectContaining({ line: 5, column: 21, name: 'sweepInterval' })]);
    },
    SLOW,
  );

  it('leaves files out that have nothing of Adorn, or are no UTF-8', () => {
    const latin = project.write('src/b.ts', '');
    writeFileSync(latin, Buffer.from(`import { Ask } from 'adorn'; // \xe9`, 'latin1'));

    expect(migrateCode([project.write('src/a.ts', 'export const Ask = 1;'), latin])).toEqual([]);
  });
});
