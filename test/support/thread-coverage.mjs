// Loaded by `--import`. On SIGUSR2, the service's first serving thread records the files whose code has run since the
// last signal.
import fs from 'node:fs';
import inspector from 'node:inspector';
import path from 'node:path';
import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';

const channel = new BroadcastChannel('coverage');
channel.unref();

if (isMainThread) {
  process.on('SIGUSR2', () => channel.postMessage('take'));
} else if (workerData?.thread === 0) {
  const session = new inspector.Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let taken = 0;
  channel.onmessage = () =>
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0));
      const file = path.join(process.env.COVERAGE_FOLDER, `${taken++}.json`);
      fs.writeFileSync(`${file}.part`, JSON.stringify(ran.map(({ url }) => url)));
      fs.renameSync(`${file}.part`, file);
    });
}
