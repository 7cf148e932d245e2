/** Values of which something throws when it is looked at. */
export function hostileValues(): { what: string; thrown: unknown }[] {
  const fail = (): never => {
    throw new Error('trap');
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const traps = { get: fail, has: fail, getPrototypeOf: fail, ownKeys: fail, getOwnPropertyDescriptor: fail };
  return [
    { what: 'a Proxy that throws on every access', thrown: new Proxy({}, traps) },
    {
      what: 'a Proxy of an error',
      thrown: new Proxy(new Error('m'), { ...traps, getPrototypeOf: () => Error.prototype }),
    },
    { what: 'a revoked Proxy', thrown: proxy },
    { what: 'an object without a prototype', thrown: Object.create(null) },
    {
      what: 'an error whose message throws',
      thrown: Object.defineProperty(new Error(), 'message', { get: fail }),
    },
    { what: 'an error whose name throws', thrown: Object.defineProperty(new Error(), 'name', { get: fail }) },
    {
      what: 'an error whose name is an object without a prototype',
      thrown: Object.assign(new Error(), { name: Object.create(null) as string }),
    },
    { what: 'an object whose toString throws', thrown: { toString: fail } },
  ];
}
