import { LimitReachedError } from '../errors.js';

/** How much of one thing may be held at once. */
export interface QuotaLimits {
  readonly perUser: number;
  readonly perServer: number;
}

/** What a quota counts, for its errors. */
export interface QuotaNames {
  /** What is counted, such as `streams are open`. */
  readonly counted: string;
  /** The options that raise the limits, such as `limits.streams`. */
  readonly userOption: string;
  readonly serverOption: string;
}

/** What one request, stream or conversation holds of a quota. */
export interface Share {
  /**
   * Sets how much is held. After `release` it does nothing.
   *
   * @throws {LimitReachedError} if it would be more than the user, or all users, may hold; what was held before is kept
   */
  hold(amount: number): void;
  /** Gives everything back, once. Called in the `finally` of the work, whatever way it ends. */
  readonly release: () => void;
}

/** Counts what users hold at once of one thing, such as open streams or bytes of bodies. */
export class Quota {
  private readonly users = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly limits: QuotaLimits,
    private readonly names: QuotaNames,
  ) {}

  /**
   * Opens a share of a user.
   *
   * @param amount what it holds at first. Default: nothing
   * @throws {LimitReachedError} if that is more than the user, or all users, may hold
   */
  open(userId: string, amount = 0): Share {
    let held = 0;
    let isReleased = false;
    const change = (by: number): void => {
      this.add(userId, by);
      held += by;
    };
    const share: Share = {
      hold: (next) => {
        if (isReleased) return;
        if (next > held) this.requireRoom(userId, next - held);
        change(next - held);
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        change(-held);
      },
    };
    share.hold(amount);
    return share;
  }

  private requireRoom(userId: string, more: number): void {
    const { perUser, perServer } = this.limits;
    const { counted, userOption, serverOption } = this.names;
    if ((this.users.get(userId) ?? 0) + more > perUser)
      throw new LimitReachedError(
        `more than ${String(perUser)} ${counted} for the user`,
        `Close one, or raise ${userOption} of the server.`,
      );
    if (this.total + more > perServer)
      throw new LimitReachedError(
        `more than ${String(perServer)} ${counted} for all users`,
        `Try again later, or raise ${serverOption} of the server.`,
        503,
      );
  }

  private add(userId: string, by: number): void {
    this.total += by;
    const held = (this.users.get(userId) ?? 0) + by;
    if (held === 0) this.users.delete(userId);
    else this.users.set(userId, held);
  }
}
