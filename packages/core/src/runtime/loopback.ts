/**
 * True for a name or address of this machine, as `URL` writes it and as a server is told to listen: `localhost`,
 * `127.0.0.0/8`, `[::1]` and `::1`. What is sent there crosses no network.
 */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(host);
}

/** The names by which clients on this machine reach a server that listens there. */
export const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', 'localhost', '[::1]', '::1'];
