/** Kills this process, whatever it does. */
export function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Must be called first in a process that `Subprocess` starts: makes the process end with the service and leave signals
 * to it.
 * It does not wait for anything: a decoder or a model may not return.
 */
export function endWithService(): void {
  process.on('disconnect', die);
  if (!process.connected) die();
  // A signal to the process group (Ctrl-C) is for the service, which ends this process itself.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
}
