import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fields, formerSettings, loadConfig, settingsInForce } from '../../packages/server/src/config.ts';

/** Creates a folder that is removed when the test ends. */
function folder(): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-config-'));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}

describe('loadConfig', () => {
  it('works with nothing set', () => {
    const here = folder();
    expect(loadConfig({}, here).service).toMatchObject({
      data: path.join(here, 'data'),
      port: 8080,
      host: '127.0.0.1',
    });
  });

  it('lists all wrong variables in one error', () => {
    const env = { ZOETROPE_PORT: 'high', ZOETROPE_STARTER: 'maybe', ZOETROPE_PUBLIC_URL: 'gifs.example' };
    expect(() => loadConfig(env, folder())).toThrow(
      /ZOETROPE_PORT must be a whole number from 0 to 65535, not "high"\n.*ZOETROPE_PUBLIC_URL must be an http or https URL, or empty.*\n.*ZOETROPE_STARTER must be one of on, off/s,
    );
  });

  it('names a variable that is not a setting', () => {
    expect(loadConfig({ ZOETROPE_KEY: 'zoe_mine' }, folder()).service.port).toBe(8080);
    expect(() => loadConfig({ ZOETROPE_PROT: '80' }, folder())).toThrow(
      'ZOETROPE_PROT is not a setting of Zoetrope. Did you mean ZOETROPE_PORT?',
    );
    const unlike = () => loadConfig({ ZOETROPE_COLOUR: 'red' }, folder());
    expect(unlike).toThrow(/ZOETROPE_COLOUR is not a setting of Zoetrope$/);
    const here = folder();
    fs.writeFileSync(path.join(here, 'zoetrope.toml'), '[service]\nprot = 80\n');
    expect(() => loadConfig({}, here)).toThrow('service.prot is not a setting of Zoetrope. Did you mean service.port?');
  });

  it('starts with a former setting, and explains what the service does instead', () => {
    const here = folder();
    fs.writeFileSync(path.join(here, 'zoetrope.toml'), '[relays]\nhostFiles = 5\n');
    const env = { ZOETROPE_SEARCH_COMPLETION: 'false' };
    const { index, relays } = loadConfig(env, here);
    expect([index.completion, relays.hostFiles]).toEqual([true, 20_000]);
    expect(formerSettings(env, here)).toEqual([
      'ZOETROPE_SEARCH_COMPLETION is not a setting any more. Remove it: the service always uses true',
      'relays.hostFiles is not a setting any more. Remove it: the service always uses 20000',
    ]);
    expect(formerSettings({ ZOETROPE_PORT: '80' }, folder())).toEqual([]);
  });

  it('reads the values within a setting, and their former names', () => {
    const here = folder();
    const file = path.join(here, 'zoetrope.toml');
    fs.writeFileSync(file, '[limits]\nsuggest = 7\n');
    const env = { ZOETROPE_RATES: 'search=5, pages = 6', ZOETROPE_RATE_SEARCH: '9', ZOETROPE_RATE_MEDIA: '8' };
    const { limits } = loadConfig(env, here);
    expect(limits).toMatchObject({ enabled: 'on', search: 5, suggest: 7, similar: 3_000, media: 8, pages: 6 });
    expect(formerSettings(env, here)).toEqual([
      'ZOETROPE_RATE_SEARCH still works in this version. Set ZOETROPE_RATES instead: search=9',
      'limits.suggest still works in this version. Set ZOETROPE_RATES instead: suggest=7',
      'ZOETROPE_RATE_MEDIA still works in this version. Set ZOETROPE_RATES instead: media=8',
    ]);
    fs.writeFileSync(file, '[limits]\nrates = "off"\n');
    expect(loadConfig({}, here).limits.enabled).toBe('off');
  });

  it.each([
    ['demo', { provider: 'demo' }],
    ['nostr+walletconnect://a?relay=b', { provider: 'nwc', nwcUrl: 'nostr+walletconnect://a?relay=b' }],
    [
      'phoenixd+http://:p%40ss@127.0.0.1:9740',
      { provider: 'phoenixd', phoenixdUrl: 'http://127.0.0.1:9740', phoenixdPassword: 'p@ss' },
    ],
    ['lnbits+https://:key@w.example', { provider: 'lnbits', lnbitsUrl: 'https://w.example', lnbitsKey: 'key' }],
    ['', { provider: 'none' }],
  ])('reads the wallet %s', (wallet, payments) => {
    expect(loadConfig({ ZOETROPE_WALLET: wallet, ZOETROPE_LIGHTNING: 'demo' }, folder()).payments).toMatchObject(
      payments,
    );
  });

  it('rejects the URL of a wallet without its secret, and does not repeat a secret', () => {
    const of = (wallet: string) => () => loadConfig({ ZOETROPE_WALLET: wallet }, folder());
    expect(of('phoenixd+http://127.0.0.1:9740')).toThrow(
      /^The.*\n {2}ZOETROPE_WALLET must be demo, .*, not what was given$/,
    );
    const former = { ZOETROPE_LIGHTNING: 'nwc', ZOETROPE_NWC_URL: 'swordfish' };
    expect(() => loadConfig(former, folder())).toThrow('ZOETROPE_WALLET: nwcUrl must be a string, not what was given');
    expect(formerSettings({ ZOETROPE_LNBITS_KEY: 'swordfish' }, folder()).join()).toMatch(
      /^ZOETROPE_LNBITS_KEY still works in this version\. Set ZOETROPE_WALLET instead: demo, (?!.*swordfish)/,
    );
  });

  it('names what is wrong within a setting', () => {
    expect(() => loadConfig({ ZOETROPE_RATES: 'serch=5' }, folder())).toThrow(
      'ZOETROPE_RATES can have off, search, suggest, similar, media, mediaBytes, pages, not "serch"',
    );
    expect(() => loadConfig({ ZOETROPE_RATES: 'search=many' }, folder())).toThrow(
      'ZOETROPE_RATES: search must be a whole number from 0 to 1000000000000, not "many"',
    );
  });

  it('lets tests change the value of a former setting, within its bounds', () => {
    expect(loadConfig({ ZOETROPE_TEST_REQUEST_TIMEOUT_MS: '2000' }, folder()).http.requestTimeoutMs).toBe(2_000);
    expect(() => loadConfig({ ZOETROPE_TEST_REQUEST_TIMEOUT_MS: '1' }, folder())).toThrow(
      'ZOETROPE_TEST_REQUEST_TIMEOUT_MS must be a whole number from 1000 to 3600000',
    );
  });

  it.each([
    ['wss://host:99999', 'wss://host:99999: the port must be at most 65535'],
    ['wss://a.example,wss://[::1', 'wss://[::1: this is not a valid URL'],
  ])('names what is wrong with the relay address %s', (urls, message) => {
    expect(() => loadConfig({ ZOETROPE_RELAYS: urls }, folder())).toThrow(`ZOETROPE_RELAYS: ${message}`);
  });

  it('reads zoetrope.toml, which environment variables override', () => {
    const here = folder();
    fs.writeFileSync(path.join(here, 'zoetrope.toml'), '[service]\nport = 9000\noperatorName = "Gifs & Co"\n');
    const { service } = loadConfig({ ZOETROPE_PORT: '9001' }, here);
    expect(service).toMatchObject({ port: 9001, operatorName: 'Gifs & Co' });
  });

  it('names a broken configuration file', () => {
    const here = folder();
    fs.writeFileSync(path.join(here, 'zoetrope.json'), '{"service": }');
    expect(() => loadConfig({}, here)).toThrow('zoetrope.json cannot be read');
  });

  it('removes trailing slashes from public URLs', () => {
    const { service } = loadConfig(
      { ZOETROPE_PUBLIC_URL: 'https://gifs.example/', ZOETROPE_MEDIA_URL: 'https://m.example//' },
      folder(),
    );
    expect(service).toMatchObject({ publicUrl: 'https://gifs.example', mediaUrl: 'https://m.example' });
  });

  it('documents every setting, with a valid default', () => {
    for (const [part, name, field] of fields()) {
      expect(field.description, `${part}.${name}`).toMatch(/\S/);
      expect(() => loadConfig({ [field.env]: String(field.default) }, folder()), field.env).not.toThrow();
    }
  });
});

describe('the settings in force', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  const list = (env: Record<string, string>) => settingsInForce(loadConfig(env, folder), env, folder);

  it('say where each value comes from', () => {
    onTestFinished(() => fs.rmSync(path.join(folder, 'zoetrope.toml')));
    fs.writeFileSync(path.join(folder, 'zoetrope.toml'), '[service]\noperatorName = "Attic"\nport = 9000');
    const settings = list({ ZOETROPE_PORT: '9001' });
    const of = (name: string) => settings.find(({ variable }) => variable === name);
    expect(settings).toHaveLength([...fields()].length);
    expect(of('ZOETROPE_PORT')).toMatchObject({ value: '9001', source: 'variable', default: '8080' });
    expect(of('ZOETROPE_OPERATOR_NAME')).toMatchObject({ value: 'Attic', source: 'file' });
    expect(of('ZOETROPE_HOST')).toMatchObject({ value: '127.0.0.1', source: 'default' });
  });

  it('show all values within a setting', () => {
    const of = (env: Record<string, string>) => list(env).find(({ variable }) => variable === 'ZOETROPE_RATES');
    expect(of({})).toMatchObject({ source: 'default', value: of({})!.default });
    expect(of({ ZOETROPE_RATES: 'search=5' })).toMatchObject({
      source: 'variable',
      value: 'search=5, suggest=12000, similar=3000, media=0, mediaBytes=0, pages=240',
    });
    expect(of({ ZOETROPE_RATE_LIMITS: 'off' })).toMatchObject({ source: 'variable', value: 'off' });
  });

  it('show no secrets, and no user or password in a URL', () => {
    const secret = 'swordfish1951';
    const env = {
      ZOETROPE_S3_SECRET_KEY: secret,
      ZOETROPE_S3_ACCESS_KEY: secret,
      ZOETROPE_EMBEDDER_KEY: secret,
      ZOETROPE_OPENSEARCH_PASSWORD: secret,
      ZOETROPE_WALLET: `nostr+walletconnect://${'a'.repeat(64)}?secret=${secret}`,
      ZOETROPE_DATABASE_URL: `postgres://user:${secret}@db.example/zoetrope`,
      ZOETROPE_REDIS_URL: `redis://:${secret}@redis.example`,
    };
    const settings = list(env);
    expect(settings.filter(({ value }) => value.includes(secret)).map(({ variable }) => variable)).toEqual([]);
    const database = settings.find(({ variable }) => variable === 'ZOETROPE_DATABASE_URL')!;
    expect(database.value).toBe('postgres://(not shown)@db.example/zoetrope');
    // A URL with a password in its query, or a password with a character that ends a URL's authority, is masked too.
    const odd = list({ ZOETROPE_DATABASE_URL: `postgres://user:a/${secret}@db.example/z?password=${secret}` });
    expect(odd.filter(({ value }) => value.includes(secret))).toEqual([]);
  });
});

it('an operator has few settings to survey', () => {
  // Instead of adding a setting, replace an old setting, add a value within a setting, or use a constant.
  expect([...fields()].length).toBeLessThanOrEqual(70);
});

it('every setting in the examples of deploy/ exists', () => {
  const known = new Set([...fields()].map(([, , { env }]) => env));
  const files = fs.globSync('deploy/**/*', { withFileTypes: true }).filter((entry) => entry.isFile());
  const unknown = files.flatMap(({ parentPath, name }) => {
    const text = fs.readFileSync(path.join(parentPath, name), 'utf8');
    return [...text.matchAll(/\bZOETROPE_[A-Z0-9_]+/g)].map(([setting]) => setting).filter((it) => !known.has(it));
  });
  expect(files.length).toBeGreaterThan(8);
  expect(unknown).toEqual([]);
});
