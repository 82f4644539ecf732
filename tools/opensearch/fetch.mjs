// Fetches OpenSearch with its vector plugin through Maven, checks both archives, and unpacks them into `target/server`.
// Does nothing if `target/server` exists, so remove `target` after changing the versions. Needs Maven and a Java
// Development Kit. The server itself needs Java 21 or newer.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const HERE = import.meta.dirname;
const ARCHIVES = path.join(HERE, 'target/dependency');
const SERVER = path.join(HERE, 'target/server');

/**
 * SHA-512 of the archives in `pom.xml`. They are needed because Maven checks archives only against sums from the same
 * server.
 */
const SUMS = {
  'opensearch-3.6.0.zip':
    'b82066a97902879c47e26608848d068c09e74d2128edee2802e622867abd451d34a366acc6519d0b40fc97acc89d61c5bb330ab8b2086cf6ffa0f9fe4b9acaa4',
  'opensearch-knn-3.6.0.0.zip':
    'fc5152c44729e636e0efc31c97f339f18bc8401376f1ac0a404016b654ff5372c2af01b37d537f234e9c132c0c39d576f02afc5da2bc0c38fa0c82c2cb47bb42',
};

if (fs.existsSync(SERVER)) process.exit();
const options = { cwd: HERE, stdio: ['ignore', 'inherit', 'inherit'] };
execFileSync('mvn', ['-B', '-q', 'dependency:copy-dependencies'], options);
for (const [name, sum] of Object.entries(SUMS)) {
  const found = createHash('sha512')
    .update(fs.readFileSync(path.join(ARCHIVES, name)))
    .digest('hex');
  if (found !== sum) throw new Error(`${name} has the SHA-512 ${found}, not ${sum}`);
}
const part = `${SERVER}.part`;
fs.rmSync(part, { recursive: true, force: true });
fs.mkdirSync(part, { recursive: true });
const [server, plugin] = Object.keys(SUMS);
unpack(server, part);
const home = path.join(part, path.parse(server).name);
const plugins = path.join(home, 'plugins/opensearch-knn');
fs.mkdirSync(plugins);
unpack(plugin, plugins);
// The programs are made executable here, because Java's archive tool does not restore file modes.
for (const program of fs.readdirSync(path.join(home, 'bin'))) fs.chmodSync(path.join(home, 'bin', program), 0o755);
fs.renameSync(home, SERVER);
fs.rmSync(part, { recursive: true });

/** Unpacks with Java's own archive tool, so that no further program is needed. */
function unpack(archive, folder) {
  const jar = process.env['JAVA_HOME'] ? path.join(process.env['JAVA_HOME'], 'bin/jar') : 'jar';
  execFileSync(jar, ['xf', path.join(ARCHIVES, archive)], { ...options, cwd: folder });
}
