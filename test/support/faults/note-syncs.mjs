import fs from 'node:fs';
import fsp from 'node:fs/promises';

/*
 * Loaded before a command (`--import`). Records every sync to the disk and every removal, in order. Each is a line in
 * the file that ZOETROPE_TEST_SYNCS names.
 */

const note = (what, path) => fs.appendFileSync(process.env.ZOETROPE_TEST_SYNCS, `${what} ${path}\n`);

const handle = await fsp.open('/dev/null');
const prototype = Object.getPrototypeOf(handle);
await handle.close();
const { sync } = prototype;
prototype.sync = function () {
  note('sync', fs.readlinkSync(`/proc/self/fd/${this.fd}`));
  return sync.call(this);
};
const { rm } = fsp;
fsp.rm = (path, ...rest) => {
  note('remove', path);
  return rm(path, ...rest);
};
