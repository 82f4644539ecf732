import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net, { type LookupFunction } from 'node:net';

/*
 * Loaded into a service by NODE_OPTIONS. Replaces the internet with a server in the test: each name below `example` has
 * one public address, and connections to its port 443 go to a port of this machine. The service itself sees only the
 * public address, both when it looks up a name and when it checks the address of its connection.
 */

const PUBLIC = { address: '93.184.215.14', family: 4 };
const HERE = '127.0.0.1';
const PORT = Number(process.env['ZOETROPE_TEST_INTERNET']);

const resolve = dns.lookup;
const connect = net.Socket.prototype.connect;

type Found = (error: Error | null, addresses: LookupAddress[]) => void;

dns.lookup = ((name: string, options: object, found: Found) => {
  if (name.endsWith('.example')) process.nextTick(found, null, [PUBLIC]);
  else resolve(name, options as { all: true }, found);
}) as typeof dns.lookup;
syncBuiltinESMExports();

net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]) {
  const options = given[0] as Partial<net.TcpNetConnectOpts>;
  if (options.port !== 443 || options.lookup === undefined) return Reflect.apply(connect, this, given);
  Object.defineProperty(this, 'remoteAddress', { value: PUBLIC.address });
  const moved = { ...options, port: PORT, lookup: moveHere(options.lookup) };
  return Reflect.apply(connect, this, [moved, ...given.slice(1)]);
} as typeof connect;

/** Replaces the addresses that the guarded lookup allows with this machine's address. */
function moveHere(lookup: LookupFunction): LookupFunction {
  return (name, options, found) =>
    lookup(name, options, (error, addresses, family) => {
      if (error !== null) found(error, addresses, family);
      else if (Array.isArray(addresses)) found(null, [{ address: HERE, family: 4 }]);
      else found(null, HERE, 4);
    });
}
