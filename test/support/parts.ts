import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { findDictionaries } from '../../packages/server/src/languages/testing/installed.ts';
import { findRedis } from '../../packages/server/src/limits/testing/redis.ts';
import { findCeph } from '../../packages/server/src/platform/blobs/testing/ceph.ts';
import { findOpenSearch } from '../../packages/server/src/platform/opensearch/testing/cluster.ts';
import { findPostgres } from '../../packages/server/src/platform/testing/postgres.ts';

/** Programs and data that some tests need and npm does not install. `npm test` lists the tests that it cannot run. */
export const parts: {
  /**
   * Path of Chromium, preferably of its headless shell, which cannot show windows. The shell has the same engine, but
   * takes a third of the time.
   */
  chromium: string | undefined;
  firefox: string | undefined;
  openssl: boolean;
  openapiTools: boolean;
  packageTools: boolean;
  wasmCompiler: boolean;
  data: string | undefined;
  specification: string | undefined;
  ffmpeg: boolean;
  postgres: string | undefined;
  redis: string | undefined;
  ceph: boolean;
  /** The Java program that runs OpenSearch. */
  opensearch: string | undefined;
  nginx: boolean;
  varnish: boolean;
  fonts: boolean;
  dejavu: boolean;
  /** Folder with FreeDict and EDICT, as installed by Debian. */
  dictionaries: string | undefined;
  /** Whether all shells other than bash for which completions exist are installed. */
  shells: boolean;
  troff: boolean;
} = {
  chromium: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .map((name) => `/usr/bin/${name}`)
    .find((path) => fs.existsSync(path)),
  firefox: ['firefox-esr', 'firefox'].map((name) => `/usr/bin/${name}`).find((path) => fs.existsSync(path)),
  openssl: spawnSync('openssl', ['version']).status === 0,
  openapiTools: fs.existsSync('tools/openapi/node_modules/.bin/redocly'),
  packageTools: ['publint', 'svelte-check', 'vue-tsc'].every((name) =>
    fs.existsSync(`tools/packages/node_modules/.bin/${name}`),
  ),
  wasmCompiler: fs.existsSync('tools/wasm/node_modules/assemblyscript'),
  data: process.env['ZOETROPE_TEST_DATA'],
  specification: process.env['ZOETROPE_TEST_SPEC'],
  ffmpeg: spawnSync('ffmpeg', ['-version']).status === 0,
  postgres: findPostgres(),
  redis: findRedis(),
  ceph: findCeph(),
  opensearch: findOpenSearch(),
  nginx: ['/usr/sbin/nginx', '/usr/lib/nginx/modules/ngx_http_set_misc_module.so'].every((path) => fs.existsSync(path)),
  varnish: fs.existsSync('/usr/sbin/varnishd') && fs.globSync('/usr/lib/*/varnish/vmods/libvmod_xkey.so').length > 0,
  fonts: fs.globSync('/usr/share/fonts/truetype/{dejavu,liberation*}/*.ttf').length > 0,
  dejavu: fs.existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'),
  dictionaries: findDictionaries(),
  shells: ['/usr/bin/zsh', '/usr/bin/fish'].every((path) => fs.existsSync(path)),
  troff: spawnSync('groff', ['--version']).status === 0,
};

export interface MissingPart {
  group: string;
  command: string;
  /** True for data, which, unlike programs, cannot be installed. */
  isData: boolean;
}

/** Returns the groups of tests that cannot run on this machine, each with the command that makes the tests possible. */
export function missingParts(): MissingPart[] {
  const all: (Omit<MissingPart, 'isData'> & { there: unknown; isData?: boolean })[] = [
    { there: parts.chromium, group: 'tests in a browser', command: 'apt-get install chromium-headless-shell' },
    { there: parts.firefox, group: 'tests in Firefox', command: 'apt-get install firefox-esr' },
    { there: parts.openssl, group: 'origins in a browser', command: 'apt-get install openssl' },
    { there: parts.openapiTools, group: 'OpenAPI linters', command: 'npm ci --prefix tools/openapi' },
    {
      there: parts.packageTools,
      group: 'published packages, and examples',
      command: 'npm ci --prefix tools/packages',
    },
    { there: parts.wasmCompiler, group: 'check of the compiled kernels', command: 'npm ci --prefix tools/wasm' },
    { there: parts.ffmpeg, group: 'cross-checks of pictures', command: 'apt-get install ffmpeg' },
    { there: parts.postgres, group: 'the registry in PostgreSQL', command: 'apt-get install postgresql' },
    { there: parts.redis, group: 'budgets shared through Redis', command: 'apt-get install redis-server' },
    { there: parts.ceph, group: 'media in Ceph', command: 'apt-get install radosgw ceph-mon ceph-osd' },
    {
      there: parts.opensearch,
      group: 'a search cluster',
      command: 'node tools/opensearch/fetch.mjs (needs Maven and a JDK 21 or newer)',
    },
    {
      there: parts.nginx,
      group: 'the service behind nginx',
      command: 'apt-get install nginx libnginx-mod-http-set-misc',
    },
    {
      there: parts.varnish,
      group: 'the service behind Varnish',
      command: 'apt-get install varnish varnish-modules',
    },
    { there: parts.fonts, group: 'reading captions', command: 'apt-get install fonts-dejavu-core' },
    { there: parts.dejavu, group: 'how the picker looks', command: 'apt-get install fonts-dejavu-core' },
    {
      there: parts.dictionaries,
      group: 'dictionaries as Debian ships them',
      command: 'apt-get install dict-freedict-fra-eng dict-freedict-eng-tur edict',
    },
    { there: parts.shells, group: 'completions of zsh and fish', command: 'apt-get install zsh fish' },
    { there: parts.troff, group: 'the manual page in troff', command: 'apt-get install groff-base' },
    {
      there: parts.data,
      group: 'tests with a collection of real GIFs',
      command: 'set ZOETROPE_TEST_DATA to a folder with media/, catalogue.jsonl.gz and queries.tsv.gz',
      isData: true,
    },
    {
      there: parts.specification,
      group: 'comparison of the sentences with the specification',
      command: 'set ZOETROPE_TEST_SPEC to the specification as a Markdown file',
      isData: true,
    },
  ];
  return all.flatMap(({ there, isData = false, ...part }) => (there ? [] : [{ ...part, isData }]));
}
