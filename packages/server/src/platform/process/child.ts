/** Kills this process, whatever it is doing. */
export function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Makes this process end with the service and leave signals to the service. A process that `Subprocess` starts must
 * call this function first. The process ends without waiting for anything, because a decoder or a model might never
 * return.
 */
export function endWithService(): void {
  process.on('disconnect', die);
  if (!process.connected) die();
  // A signal to the process group (Ctrl-C) is for the service, which ends this process itself.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
}
