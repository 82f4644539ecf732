import { say } from '../../words/operators.ts';

const NAMES = { connected: 'relay_connected', waiting: 'relay_waiting', stopped: 'relay_stopped' } as const;

/** Returns the state of a relay in the language of the page, with the reason why it is not connected. */
export function relayStateInWords({ state, error }: { state: string; error: string | null }): string {
  const name = Object.hasOwn(NAMES, state) ? say(NAMES[state as keyof typeof NAMES]) : state;
  return error === null ? name : `${name}: ${error}`;
}
