import { describe, expect, it } from 'vitest';
import { identify } from './admission.ts';

const admitted = [
  'http://localhost',
  'https://localhost',
  'http://localhost:3000',
  'http://127.0.0.1:8080',
  'https://127.0.0.1',
  'http://[::1]',
  'http://[::1]:5173',
  'HTTP://LOCALHOST',
];

const refused = [
  'https://example.com',
  'http://localhost.example.com',
  'http://localhost:3000.example.com',
  'capacitor://localhost',
  'tauri://localhost',
  'ionic://localhost',
  'file://',
  'http://localhost/',
  'http://127.0.0.2',
  'http://user@localhost',
  'http://localhost:3000000',
  'http://localhost:99999',
  '',
];

describe('identify', () => {
  it.each(admitted)('admits %s', (origin) => {
    expect(identify({ origin }).id).toBe('development');
  });

  it.each(refused)('refuses "%s"', (origin) => {
    expect(() => identify({ origin })).toThrow(expect.objectContaining({ code: 'client_not_registered' }));
  });

  it('lets an Origin decide alone', () => {
    const headers = { origin: 'https://example.com', authorization: 'Bearer zoe_x', 'user-agent': 'Wisp/1.0' };
    expect(() => identify(headers)).toThrow('https://example.com');
  });

  it('takes the opaque null for no Origin, which is no client yet', () => {
    expect(() => identify({ origin: 'null' })).toThrow('names no registered client');
  });
});
