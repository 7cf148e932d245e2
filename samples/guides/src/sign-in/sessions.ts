import { randomBytes } from 'node:crypto';

/** How long somebody stays signed in, in seconds. */
const LIFETIME = 8 * 60 * 60;

/** Who is signed in, by the random id in the cookie of a browser. In an application they are rows of its database. */
export class SignInSessions {
  private readonly cookie: string;
  private readonly sessions = new Map<string, { readonly name: string; readonly endsAt: number }>();

  /** @param isSecure true if browsers reach the server by https */
  constructor(
    private readonly isSecure: boolean,
    private readonly now: () => number = Date.now,
  ) {
    // With this prefix, browsers take the cookie from this host alone, and not from a neighbour of its domain.
    this.cookie = isSecure ? '__Host-desk_session' : 'desk_session';
  }

  /** Opens a session with an id of its own, whatever the browser has sent. @returns the cookie */
  open(name: string): string {
    const id = randomBytes(32).toString('base64url');
    this.sessions.set(id, { name, endsAt: this.now() + LIFETIME * 1_000 });
    return this.cookieWith(id, LIFETIME);
  }

  /** The name of who sent a request; undefined if the session has ended, or never was. */
  nameOf(cookies: string | null | undefined): string | undefined {
    const session = this.sessions.get(this.idIn(cookies));
    return session !== undefined && this.now() < session.endsAt ? session.name : undefined;
  }

  /** Ends a session. @returns the cookie that removes that of the browser */
  close(cookies: string | undefined): string {
    this.sessions.delete(this.idIn(cookies));
    return this.cookieWith('', 0);
  }

  private cookieWith(id: string, seconds: number): string {
    const secure = this.isSecure ? '; Secure' : '';
    return `${this.cookie}=${id}; Path=/; Max-Age=${String(seconds)}; HttpOnly; SameSite=Lax${secure}`;
  }

  private idIn(cookies: string | null | undefined): string {
    return new RegExp(`(?:^|; )${this.cookie}=([\\w-]+)`).exec(cookies ?? '')?.[1] ?? '';
  }
}
