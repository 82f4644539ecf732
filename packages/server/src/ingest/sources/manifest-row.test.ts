import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseRow, toCandidate, toLinkedGif } from './manifest-row.ts';

const linked = (row: object) =>
  toLinkedGif(
    { url: 'https://a.example/x.gif', ...parseRow(JSON.stringify({ url: 'https://a.example/x.gif', ...row })) },
    '/m.jsonl',
  );

describe('parseRow', () => {
  it.each([
    ['{', 'the line is not JSON'],
    ['[1]', 'the line is not a JSON object'],
    ['"x"', 'the line is not a JSON object'],
    ['{"title":"a"}', 'file or url is required'],
    ['{"file":"a.gif","title":7}', 'title: must be string'],
    ['{"file":"a.gif","tags":["ok",7]}', 'tags.1: must be string'],
    ['{"file":"a.gif","width":0}', 'width: must be >= 1'],
    ['{"url":"ftp://a.example/x.gif"}', 'url: must start with http:// or https:// and a host'],
    ['{"url":"https://a.example/x.gif\\n\\nSend sats"}', 'url: must not contain control characters'],
    ['{"url":"https://u:p@a.example/x.gif"}', 'url: must not contain a user name or password'],
    ['{"file":"a.gif","fallback":["https://a.example/","https://a.example/\\u202e"]}', 'fallback.1: must not contain'],
    ['{"file":"a.gif","popularity":-1}', 'popularity: must be >= 0'],
    ['{"file":"a.gif","sha256":"abc"}', 'sha256: must match pattern'],
    ['{"file":"a.gif","adult":"no"}', 'adult: must be boolean'],
  ])('refuses %s', (line, message) => {
    expect(() => parseRow(line)).toThrow(message);
  });

  it('treats null as absent, and ignores unknown fields', () => {
    expect(parseRow('{"file":"a.gif","title":null,"frames":null,"mood":"good"}')).toMatchObject({ file: 'a.gif' });
  });
});

it('empty tags are dropped, and so is null in any list', () => {
  expect(linked({ tags: ['', 'cat', ' ', null] }).tags).toEqual(['cat']);
  const gif = linked({ fallback: [null, 'https://b.example/', null], character: [null], series: [null, 'a'] });
  expect(gif).toMatchObject({ characters: [], series: ['a'] });
  expect(JSON.stringify(gif.fallback)).toBe('["https://b.example/"]');
});

describe('HTML entities', () => {
  it('are decoded in titles, tags, descriptions and captions', () => {
    const row = { title: 'Tom &amp; Jerry&rsquo;s', tags: ['&lt;3'], text: 'wait&hellip;', alt: '&#128512; &#x41;' };
    expect(linked(row)).toMatchObject({ title: 'Tom & Jerry’s', tags: ['<3'], text: 'wait…', alt: '😀 A' });
  });

  it('are decoded once, need a semicolon, and cannot add control characters', () => {
    const { title } = linked({ title: 'AT&T &ampersand &amp;lt; a&#0;b&#10;c' });
    expect(title).toBe('AT&T &ampersand &lt; a\ufffdb c');
  });
});

describe('toCandidate', () => {
  it.each(['../outside.gif', '../in-beside/a.gif', '/etc/passwd.gif', 'a/../../b.gif'])('refuses %s', (file) => {
    expect(() => toCandidate({ file }, '/data/in/manifest.jsonl')).toThrow("must stay inside the manifest's folder");
  });

  it('vouches for the rating only if the row says whether the GIF is adult', () => {
    const rows = [{ adult: false }, { adult: true }, {}];
    const declared = rows.map((row) => toCandidate({ file: 'a.gif', ...row }, '/data/m.jsonl').declared);
    expect(declared).toEqual([true, true, false]);
  });

  it('identifies a row by its manifest and file, regardless of its words', () => {
    const one = toCandidate({ file: 'a.gif', title: 'one' }, '/data/m.jsonl');
    const two = toCandidate({ file: 'a.gif', title: 'two' }, '/data/m.jsonl');
    expect(one.told.toldBy).toBe(two.told.toldBy);
    expect(one.path).toBe('/data/a.gif');
  });
});

describe('toLinkedGif', () => {
  it("uses the row's id if it matches the pattern", () => {
    expect(linked({ id: 'my-gif_1.gif' }).id).toBe('my-gif_1.gif');
  });

  it('otherwise uses the hash of the file, or else the hash of the URL', () => {
    const sha256 = 'a'.repeat(64);
    expect(linked({ id: '../x', sha256 }).id).toBe(`${sha256}.gif`);
    const ofUrl = createHash('sha256').update('https://a.example/x.gif').digest('hex');
    expect(linked({}).id).toBe(`${ofUrl}.gif`);
  });

  it('has the canonical URL, but is identified by the URL as it is written', () => {
    const url = 'HTTPS://A.example/ä b.gif#x';
    const gif = linked({ url, fallback: ['https://B.example'] });
    expect(gif).toMatchObject({ url: 'https://a.example/%C3%A4%20b.gif', fallback: ['https://b.example/'] });
    expect(gif.id).toBe(`${createHash('sha256').update(url).digest('hex')}.gif`);
    expect(gif.toldBy).toBe(`/m.jsonl#${url}`);
  });

  it('assumes 480 x 270 if a size is missing', () => {
    expect(linked({ width: 100 })).toMatchObject({ width: 480, height: 270 });
    expect(linked({ width: 100, height: 50 })).toMatchObject({ width: 100, height: 50 });
  });

  it('takes the format from the URL, unless the row contains it', () => {
    expect(linked({ url: 'https://a.example/x.webp?s=1' }).format).toBe('webp');
    expect(linked({ url: 'https://a.example/x.webp', format: 'gif' }).format).toBe('gif');
  });

  it('rounds durations to milliseconds', () => {
    expect(linked({ duration: 1.2345 }).durationMs).toBe(1235);
  });
});
