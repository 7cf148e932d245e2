import { Database } from '@adorn/storage';
import { sql } from 'kysely';

const CONNECTIONS = 16;
const MS = 3000;

/** Transactions of one small row that the store does in a second with 16 connections, each on the disk before the next one. */
export async function measureStoreLimit(url: string): Promise<number> {
  const database = new Database(url, { poolSize: CONNECTIONS });
  await database.run((queries) => sql`create table limits (no bigint, body text)`.execute(queries));
  const deadline = performance.now() + MS;
  let commits = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < deadline) {
      await database.statement((queries) => sql`insert into limits values (1, 'body')`.execute(queries));
      commits++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await database.close();
  return (commits / MS) * 1000;
}
