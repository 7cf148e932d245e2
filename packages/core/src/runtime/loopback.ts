/**
 * True for a name or address of this machine, as `URL` writes it and as a server is told to listen: `localhost`,
 * `127.0.0.0/8`, `[::1]` and `::1`. What is sent there crosses no network.
 */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(host);
}
