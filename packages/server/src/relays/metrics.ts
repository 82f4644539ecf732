import { metric } from '../base/metrics.ts';
import type { Service } from '../service/index.ts';
import { reportOnRelays } from './report.ts';

/** Returns the metrics of relays for Prometheus, or an empty string if there are no relays. */
export async function relayMetrics(service: Pick<Service, 'store'>): Promise<string> {
  const { relays, addresses } = await reportOnRelays(service);
  if (relays.length === 0) return '';
  const connected = relays.map(({ url, state }) => {
    return { labels: { relay: url }, value: state === 'connected' ? 1 : 0 };
  });
  const events = relays.flatMap(({ url, counts }) => {
    return Object.entries(counts).map(([outcome, value]) => ({ labels: { relay: url, outcome }, value }));
  });
  const found = addresses.map(({ state, reason, n }) => ({ labels: { state, reason: reason ?? '' }, value: n }));
  return [
    metric('zoetrope_relay_connected', 'gauge', 'Whether the relay is being read', connected),
    metric(
      'zoetrope_relay_events_total',
      'counter',
      'Events of relays by outcome: ingested, or the reason for skipping',
      events,
    ),
    metric('zoetrope_relay_addresses', 'gauge', 'URLs from events, by the result of checking them', found),
  ].join('');
}
