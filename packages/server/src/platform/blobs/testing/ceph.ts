import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AwsClient } from 'aws4fetch';
import { endProcess } from '../../testing/end-process.ts';
import { freePort } from '../../testing/free-port.ts';
import type { S3Config } from '../config.ts';

const run = promisify(execFile);

const PROGRAMS = ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];
const [ACCESS_KEY, SECRET_KEY, BUCKET] = ['zoetrope', 'a/secret+of=ceph', 'some-bucket'];

/** Maximum time for each step of the start, even on a busy machine. */
const STEP_MS = 480_000;

/** Permissions of each part of the cluster. */
const USERS = {
  'mon.': ['mon', 'allow *'],
  'client.admin': ['mon', 'allow *', 'osd', 'allow *'],
  'osd.0': ['mon', 'allow profile osd', 'osd', 'allow *'],
  'client.rgw': ['mon', 'allow rw', 'osd', 'allow rwx'],
};

/** Returns whether Debian's Ceph packages are installed. */
export function findCeph(): boolean {
  return PROGRAMS.every((program) => fs.existsSync(`/usr/bin/${program}`));
}

/** A Ceph cluster of one node in memory, with its S3 gateway and a bucket. */
export interface Ceph {
  config: S3Config;
  /** Kills the gateway. The cluster keeps the data. */
  kill(): Promise<void>;
  /** Starts the gateway again. */
  start(): Promise<void>;
  /** Sets whether the bucket can be listed. */
  allowLists(isAllowed: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a cluster. */
export async function startCeph(): Promise<Ceph> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-ceph-'));
  const daemons: ChildProcess[] = [];
  const stop = async () => {
    for (const daemon of daemons.splice(0).toReversed()) await endProcess(daemon, 'SIGKILL'); // no data is on disk
    fs.rmSync(folder, { recursive: true });
  };
  try {
    const [port, gatewayPort] = [await freePort(), await freePort()];
    await startCluster(folder, { port, gatewayPort, daemons });
    const endpoint = `http://127.0.0.1:${gatewayPort}`;
    await makeBucket(endpoint, daemons.at(-1)!);
    const [accessKey, secretKey] = [ACCESS_KEY, SECRET_KEY];
    const config = { endpoint, bucket: BUCKET, region: 'us-east-1', accessKey, secretKey, prefix: '', pathStyle: true };
    return {
      config,
      stop,
      kill: () => endProcess(daemons.pop()!, 'SIGKILL'),
      async start() {
        daemons.push(startGateway(folder));
        await makeBucket(endpoint, daemons.at(-1)!);
      },
      allowLists: (isAllowed) => setPolicy(`${endpoint}/${BUCKET}`, isAllowed),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Cluster {
  port: number;
  gatewayPort: number;
  /** Started processes. They must be ended in reverse order. */
  daemons: ChildProcess[];
}

async function startCluster(folder: string, { port, gatewayPort, daemons }: Cluster): Promise<void> {
  const [cluster, disk] = [randomUUID(), randomUUID()];
  for (const name of ['mon', 'osd', 'rgw']) fs.mkdirSync(path.join(folder, name));
  const file = path.join(folder, 'ceph.conf');
  fs.writeFileSync(file, configuration(folder, { cluster, port, gatewayPort }));
  const keyring = path.join(folder, 'keyring');
  execFileSync('ceph-authtool', [keyring, '--create-keyring'], { stdio: 'ignore' });
  for (const [name, rights] of Object.entries(USERS)) {
    const caps = Array.from({ length: rights.length / 2 }, (_, n) => ['--cap', ...rights.slice(2 * n, 2 * n + 2)]);
    execFileSync('ceph-authtool', [keyring, '--gen-key', '-n', name, ...caps.flat()], { stdio: 'ignore' });
  }
  const map = path.join(folder, 'monmap');
  const address = `[v2:127.0.0.1:${port}]`;
  execFileSync('monmaptool', ['--create', '--fsid', cluster, '--addv', 'a', address, map], { stdio: 'ignore' });

  const start = (program: string, ...args: string[]) => {
    daemons.push(spawn(program, ['-c', file, '-f', ...args], { stdio: ['ignore', 'ignore', 'inherit'] }));
  };
  const command = (program: string, ...args: string[]) => run(program, ['-c', file, ...args], { timeout: STEP_MS });
  await command('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map, '--keyring', keyring);
  start('ceph-mon', '-i', 'a');
  await command('ceph', 'osd', 'new', disk);
  await command('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', disk);
  start('ceph-osd', '-i', '0');
  const user = [
    '--uid',
    'zoetrope',
    '--display-name',
    'Zoetrope',
    '--access-key',
    ACCESS_KEY,
    '--secret-key',
    SECRET_KEY,
  ];
  await command('radosgw-admin', '-n', 'client.rgw', 'user', 'create', ...user);
  daemons.push(startGateway(folder));
}

function startGateway(folder: string): ChildProcess {
  const options = ['-c', path.join(folder, 'ceph.conf'), '-f', '-n', 'client.rgw'];
  return spawn('radosgw', options, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * Returns the configuration of a cluster that has one daemon of each kind, stores nothing on disk and does not wait for
 * a quorum.
 */
function configuration(folder: string, { cluster, port, gatewayPort }: { cluster: string } & Omit<Cluster, 'daemons'>) {
  return `[global]
fsid = ${cluster}
mon host = [v2:127.0.0.1:${port}]
mon initial members = a
keyring = ${folder}/keyring
public addr = 127.0.0.1
cluster addr = 127.0.0.1
run dir = ${folder}
admin socket = ${folder}/$name.$pid.asok
log file =
log to stderr = false
err to stderr = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 1
paxos propose interval = 0.05
paxos min wait = 0.01
osd objectstore = memstore
memstore device bytes = 1073741824
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd data = ${folder}/osd
[client.rgw]
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw run sync thread = false
`;
}

const signer = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY, service: 's3', region: 'us-east-1', retries: 0 };

async function setPolicy(bucket: string, isAllowed: boolean): Promise<void> {
  const resource = `arn:aws:s3:::${BUCKET}`;
  const denied = { Effect: 'Deny', Principal: '*', Action: 's3:ListBucket', Resource: resource };
  const body = JSON.stringify({ Version: '2012-10-17', Statement: [denied] });
  const request = isAllowed ? { method: 'DELETE' } : { method: 'PUT', body };
  const answer = await new AwsClient(signer).fetch(`${bucket}?policy`, request);
  if (!answer.ok) throw new Error(`Ceph's gateway did not set the policy: ${await answer.text()}`);
}

/** Waits until the gateway listens, and creates the bucket if it does not exist. */
async function makeBucket(endpoint: string, gateway: ChildProcess): Promise<void> {
  const client = new AwsClient(signer);
  const deadline = AbortSignal.timeout(STEP_MS);
  for (;;) {
    const answer = await client.fetch(`${endpoint}/${BUCKET}`, { method: 'PUT', signal: deadline }).catch(() => null);
    if (answer?.ok) return;
    if (answer || deadline.aborted || gateway.exitCode !== null) {
      throw new Error(`Ceph's gateway created no bucket: ${answer ? await answer.text() : 'it does not listen'}`);
    }
    await wait(50);
  }
}
