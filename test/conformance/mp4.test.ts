import { describe, expect } from 'vitest';
import { lookAtVideo } from '../../packages/server/src/media/testing/look-at-video.ts';
import { FILM_FACTS } from './catalogue.ts';
import { sentence } from './sentence.ts';
import { download, fetchPatiently, readFailure, serveFilms } from './service.ts';

const service = serveFilms();

/** Titles of files with an MP4. The elephant is too large for animated previews, but not for an MP4. */
const FILMS = ['whale', 'giraffe', 'mouse', 'jellyfish', 'wolf', 'flower', 'elephant', 'train'];
const HAVE_ONE = ['longest', 'largest'];

const titles = Object.keys(FILM_FACTS);

describe('What the service does', () => {
  sentence(10, async () => {
    const { url, previews, mp4 } = await service.gif('whale');
    const files = [url, ...Object.values(previews).flatMap(({ animated, still }) => [animated!, still]), mp4!];
    for (const file of files) expect((await download(file)).length).toBeGreaterThan(0);
    expect((await service.gif('stone')).mp4).toBeNull();
  });
});

describe('Gif', () => {
  sentence(29, async () => {
    for (const title of FILMS) {
      const { mp4, width, height, frames, bytes, duration } = await service.gif(title);
      const response = await fetchPatiently(mp4!);
      expect(response.headers.get('content-type'), title).toBe('video/mp4');
      const file = Buffer.from(await response.arrayBuffer());
      const video = await lookAtVideo(file);
      expect(video.codec, title).toBe('avc');
      // H.264 needs an even width and an even height.
      expect([video.width, video.height], title).toEqual([width + (width % 2), height + (height % 2)]);
      expect(video.packets, title).toHaveLength(frames!);
      const seconds = video.packets.reduce((sum, packet) => sum + packet.duration, 0);
      expect(seconds, title).toBeCloseTo(duration!, 2);
      if (title === 'train') expect(file.length).toBeLessThan(bytes! / 3);
    }
  });

  sentence(30, async () => {
    const { boxes, tracks } = await lookAtVideo(await download((await service.gif('giraffe')).mp4!));
    expect(tracks).toEqual(['video']);
    // An edit list could make the video loop, so there is none. The index comes first, so that playback can start
    // immediately.
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
    expect(boxes).not.toContain('edts');
  });

  sentence(31, async () => {
    const { mp4, transparent } = await service.gif('jellyfish');
    const { luma, width } = await lookAtVideo(await download(mp4!));
    // The square is at the top left. The bottom right is transparent.
    expect(luma[20 * width + 20]).toBeGreaterThan(40);
    expect(Math.abs(luma[110 * width + 110]! - 16)).toBeLessThanOrEqual(3);
    // The response marks GIFs whose MP4 lacks transparency.
    expect([transparent, (await service.gif('mouse')).transparent]).toEqual([true, null]);
  });

  sentence(32, async () => {
    for (const title of titles) {
      const { mp4 } = await service.gif(title);
      if (HAVE_ONE.includes(title)) expect(mp4, title).toMatch(/\.mp4$/);
      else expect(mp4, title).toBeNull();
    }
    expect((await service.gif('stone')).mp4).toBeNull();
  });

  sentence(34, async () => {
    const { mp4 } = await service.gif('mouse');
    const [first, second] = [await download(mp4!), await download(mp4!)];
    expect(second.equals(first)).toBe(true);
    expect((await fetch((await service.gif('longest')).mp4!)).status).toBe(404);
  });

  sentence(35, async () => {
    const { mp4, url, previews } = await service.gif('whale');
    const gone = mp4!.replace(/[^/]+\.mp4$/, 'unknown.mp4');
    expect((await fetch(gone)).status).toBe(404);
    expect(previews.w480.animated).toBeTypeOf('string');
    for (const file of [previews.w480.animated!, url]) expect((await download(file)).length).toBeGreaterThan(0);
  });
});

describe('Errors', () => {
  sentence(150, async () => {
    const failure = await readFailure(await fetch((await service.gif('largest')).mp4!));
    expect(failure).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('Limits', () => {
  sentence(163, async () => {
    const without = titles.filter((title) => !HAVE_ONE.includes(title));
    for (const title of without) {
      const { id, mp4 } = await service.gif(title);
      expect(mp4, title).toBeNull();
      const address = (await service.gif('longest')).mp4!.replace(/[^/]+\.mp4$/, `${id.replace(/\.gif$/, '')}.mp4`);
      expect((await fetch(address)).status, title).toBe(404);
    }
  });
});
