import { Database } from '@adorn/storage';

/** `migrator.child.js URL`: opens a database, which migrates it, and says how many sessions there are. */
const database = new Database(process.argv[2] ?? '');
const rows = await database.run((queries) => queries.selectFrom('adorn_sessions').selectAll().execute());
console.log(String(rows.length));
await database.close();
