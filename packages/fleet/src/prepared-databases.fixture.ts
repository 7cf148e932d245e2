import { PostgresServer } from '@adorn/testing/servers';
import { Client } from 'pg';

/** Databases of one server for the tests of a suite: each is a copy of one whose tables were made once. */
export class PreparedDatabases {
  private count = 0;

  private constructor(
    private readonly server: PostgresServer,
    private readonly admin: Client,
  ) {}

  /** @param prepare makes the tables, and leaves no connection open */
  static async start(prepare: (url: string) => Promise<void>): Promise<PreparedDatabases> {
    const server = await PostgresServer.start({ settings: { fsync: 'off', max_connections: '300' } });
    const admin = new Client({ connectionString: server.url() });
    await admin.connect();
    await admin.query('create database prepared');
    await prepare(server.url('prepared'));
    return new PreparedDatabases(server, admin);
  }

  async newUrl(): Promise<string> {
    const name = `fleet${String(this.count++)}`;
    await this.admin.query(`create database ${name} template prepared`);
    return this.server.url(name);
  }

  async stop(): Promise<void> {
    await this.admin.end();
    await this.server.stop();
  }
}
