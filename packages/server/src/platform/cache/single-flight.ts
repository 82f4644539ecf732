/**
 * Returns a function whose concurrent calls for one key share one run and its result or error. Nothing is cached after
 * the run has settled.
 */
export function singleFlight<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Promise<T>>();
  return (key, run) => {
    const flying = flights.get(key);
    if (flying !== undefined) return flying;
    const flight = run().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
