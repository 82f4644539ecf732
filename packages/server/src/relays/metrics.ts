import type { Service } from '../service/index.ts';
import { type RelaysReport, reportOnRelays } from './report.ts';

/** Relays as Prometheus reads them; nothing where there are none. */
export async function relayMetrics(service: Pick<Service, 'store'>): Promise<string> {
  const { relays, addresses } = await reportOnRelays(service);
  if (relays.length === 0) return '';
  const events = relays.flatMap(({ url, counts }) =>
    Object.entries(counts).map(
      ([outcome, n]) => `zoetrope_relay_events_total{relay="${escaped(url)}",outcome="${outcome}"} ${n}`,
    ),
  );
  const connected = relays.map(
    ({ url, state }) => `zoetrope_relay_connected{relay="${escaped(url)}"} ${state === 'connected' ? 1 : 0}`,
  );
  return [
    '# HELP zoetrope_relay_connected Whether the relay is being read',
    '# TYPE zoetrope_relay_connected gauge',
    ...connected,
    '# HELP zoetrope_relay_events_total Events of relays: taken, or why not',
    '# TYPE zoetrope_relay_events_total counter',
    ...events,
    '# HELP zoetrope_relay_addresses Addresses that events told of, by what was found there',
    '# TYPE zoetrope_relay_addresses gauge',
    ...addresses.map(addressLine),
    '',
  ].join('\n');
}

function addressLine({ state, reason, n }: RelaysReport['addresses'][number]): string {
  return `zoetrope_relay_addresses{state="${state}",reason="${reason ?? ''}"} ${n}`;
}

function escaped(url: string): string {
  return url.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
