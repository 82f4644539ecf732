import type { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Finds all addresses of a name: `dns.lookup`, or a test's replacement. */
export type Resolve = typeof lookup;

/** The error for an address to which connections are forbidden, or for a name that resolves to such an address. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';

  constructor() {
    super('the address is not on the public internet');
  }
}

/**
 * Returns the look-up for sockets that connect to names from strangers. Every address of a name must be allowed,
 * because the socket chooses one of them. The socket gets exactly the checked addresses, so that a name cannot resolve
 * to a different address the second time. The error is a BlockedAddress, or has the code ENOTFOUND if the name has no
 * address.
 */
export function guardedLookup(resolve: Resolve, allows: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      // Without this check, Node would throw an error that cannot be caught.
      if (first === undefined) {
        return callback(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }), '');
      }
      if (!addresses.every(({ address }) => allows(address))) return callback(new BlockedAddress(), '');
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
