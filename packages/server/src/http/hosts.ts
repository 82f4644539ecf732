/** How many Host headers a request has. Of two, a proxy may have gone by one and Node would go by the other. */
export function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}
