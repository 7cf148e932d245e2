export { Database, type DatabaseOptions } from './database/database.js';
export { SqlSessionService, type SqlSessionOptions } from './sessions/sql-session.service.js';
export { sqlStorage, type SqlStorageOptions } from './sql-storage.js';
export { SqlMemoryService, type SqlMemoryOptions } from './memory/sql-memory.service.js';
