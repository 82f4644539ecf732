/** Returns a number with the noun that it counts: `1 GIF`, `2 GIFs`. */
export function counted(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}
