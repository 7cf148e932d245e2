import { AsyncLocalStorage } from 'node:async_hooks';
import dns from 'node:dns';
import { Agent, type ClientRequest } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { isIP, Socket } from 'node:net';

import { isLoopback } from '@adorn/core/backend';

import type { NetworkBlockedError } from '../errors.js';
import type { NetworkPolicy, NetworkTarget, TestFetch } from './network-policy.js';

/** A function whose receiver and arguments are passed on as they are. */
type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** The policy of the code that runs: that of the test runner whose run it belongs to, in whatever order tests run. */
const policies = new AsyncLocalStorage<NetworkPolicy>();

/** That of Node, also while a test replaces the timers. */
const later = setImmediate;

/** How many blocks are open, and what takes the guards away again. */
let open = 0;
let restore: readonly (() => void)[] = [];

/**
 * Guards the sockets and name look-ups of this process: TCP, TLS, HTTP, WebSockets, `fetch` and undici, and Unix sockets. Code
 * that belongs to no policy is let through. Not guarded are UDP, workers, child processes and native modules.
 *
 * @returns a function that ends it; the last one restores the functions of Node.js
 */
export function blockNetwork(): () => void {
  if (open++ === 0) {
    restore = [guardSockets(), guardKeptSockets(), guardFetch(), ...guardLookUps()];
    syncBuiltinESMExports();
  }
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    if (--open > 0) return;
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  };
}

/** Runs what belongs to a policy: it, and all that follows from it. */
export function withinPolicy<Result>(policy: NetworkPolicy, work: () => Result): Result {
  return policies.run(policy, work);
}

/** TCP, and all that is built on it, connects by this method. */
function guardSockets(): () => void {
  return replaceMethod(Socket.prototype, 'connect', (connect) => {
    return function (this: unknown, ...args) {
      const error = policies.getStore()?.refusalOf(targetOf(args));
      if (!error) return connect.apply(this, args);
      // Who connects listens for the error a little later, and may write before that.
      const socket = Object.assign(this as Socket, { connecting: true });
      later(() => socket.destroy(error));
      return socket;
    };
  });
}

/** A socket that an agent of `node:http` has kept from an earlier request is not connected again. */
function guardKeptSockets(): () => void {
  return replaceMethod(Agent.prototype, 'reuseSocket', (reuseSocket) => {
    return function (this: unknown, ...args) {
      const [socket, request] = args as [Socket, ClientRequest];
      const error = policies.getStore()?.refusalOf({ host: request.host, port: socket.remotePort });
      if (error) request.destroy(error);
      return reuseSocket.apply(this, args);
    };
  });
}

/** `fetch` keeps sockets too; a test may have one of its own. */
function guardFetch(): () => void {
  return replaceMethod(globalThis, 'fetch', (original) => {
    return function (this: unknown, ...args) {
      const policy = policies.getStore();
      const { fetch } = policy ?? {};
      if (policy && fetch) {
        return policies.run(policy.behindFetch(), () => fetch(...(args as Parameters<TestFetch>)));
      }
      const target = targetOfUrl(args[0]);
      const error = target && policy?.refusalOf(target);
      return error
        ? Promise.reject(new TypeError('fetch failed', { cause: error }))
        : original.apply(this, args);
    };
  });
}

/** Where a request goes to; undefined for what is no URL, or for one without a host. */
function targetOfUrl(input: unknown): NetworkTarget | undefined {
  const text = input instanceof Request ? input.url : String(input);
  if (!URL.canParse(text)) return undefined;
  const { hostname, port, protocol } = new URL(text);
  if (hostname === '') return undefined;
  const usual = protocol === 'https:' ? 443 : 80;
  return { host: hostname, port: port === '' ? usual : Number(port) };
}

/** Where `socket.connect` is told to connect to, in any of its forms. */
function targetOf([first, second]: readonly unknown[]): NetworkTarget {
  // `net.connect` passes a list of the arguments that it has read.
  const stated: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof stated === 'object' && stated !== null) {
    const { path, host = 'localhost', port } = stated as Readonly<Record<string, unknown>>;
    return typeof path === 'string' ? { host: path } : { host: String(host), port: Number(port) };
  }
  const port = Number(stated);
  if (Number.isNaN(port)) return { host: String(stated) };
  return { host: typeof second === 'string' ? second : 'localhost', port };
}

/** The methods of `node:dns` that ask a server; the first argument of each is a name or an address. */
const LOOK_UPS: readonly string[] = [
  ...[
    'lookup',
    'lookupService',
    'resolve',
    'resolve4',
    'resolve6',
    'resolveAny',
    'resolveCaa',
    'resolveCname',
  ],
  ...['resolveMx', 'resolveNaptr', 'resolveNs', 'resolvePtr', 'resolveSoa', 'resolveSrv', 'resolveTlsa'],
  ...['resolveTxt', 'reverse'],
];

function guardLookUps(): (() => void)[] {
  const withCallback = [dns, dns.Resolver.prototype].flatMap((owner) => guardedBy(owner, calledBack));
  const withPromise = [dns.promises, dns.promises.Resolver.prototype].flatMap((owner) =>
    guardedBy(owner, (error) => Promise.reject(error)),
  );
  return [...withCallback, ...withPromise];
}

/** @param refuse returns what the look-up returns */
function guardedBy(
  owner: object,
  refuse: (error: NetworkBlockedError, args: readonly unknown[]) => unknown,
): (() => void)[] {
  const methods = LOOK_UPS.filter((name) => name in owner);
  return methods.map((name) =>
    replaceMethod(owner, name, (lookUp) => {
      return function (this: unknown, ...args) {
        const host = String(args[0]);
        const error = isAddress(host, name) ? undefined : policies.getStore()?.refusalOf({ host });
        return error ? refuse(error, args) : lookUp.apply(this, args);
      };
    }),
  );
}

/** True if `dns.lookup` knows the address without asking anybody. */
function isAddress(host: string, name: string): boolean {
  return name === 'lookup' && (isIP(host) !== 0 || isLoopback(host));
}

function calledBack(error: NetworkBlockedError, args: readonly unknown[]): void {
  const callback = args.at(-1);
  if (typeof callback === 'function') process.nextTick(callback, error);
}

/** @returns a function that puts the original back, unless somebody has replaced the method once more */
function replaceMethod(
  owner: object,
  name: string,
  guarded: (original: AnyFunction) => AnyFunction,
): () => void {
  const methods = owner as Record<string, AnyFunction>;
  const original = methods[name] as AnyFunction;
  const replacement = guarded(original);
  methods[name] = replacement;
  return () => {
    if (methods[name] === replacement) methods[name] = original;
  };
}
