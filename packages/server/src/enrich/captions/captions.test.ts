import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { captionSize, createCaptionReader } from '../index.ts';
import { captionOf } from './caption.ts';

test('a picture that is too small for text is not read, and others keep their aspect ratio', () => {
  expect(captionSize({ width: 200, height: 32 })).toBeNull();
  expect(captionSize({ width: 200, height: 100 })).toEqual({ width: 320, height: 160 });
  expect(captionSize({ width: 480, height: 360 })).toEqual({ width: 480, height: 360 });
  expect(captionSize({ width: 1000, height: 2000 })).toEqual({ width: 320, height: 640 });
});

test('incomplete frames are rejected', async () => {
  const reader = createCaptionReader({ log: pino({ level: 'silent' }) });
  await expect(reader.read(new Uint8Array(100), { width: 8, height: 8 })).rejects.toBeInstanceOf(RangeError);
  expect(reader.pid).toBeUndefined();
});

describe('a line that was read', () => {
  const line = (text: string, mean = 0.95) => ({ text, mean });

  test('counts if it is certain or in two frames', () => {
    expect(captionOf([[line('surely')], [], []])).toBe('surely');
    expect(captionOf([[line('perhaps', 0.8)], [], []])).toBe('');
    expect(captionOf([[line('perhaps', 0.8)], [line('perhaps', 0.8)], []])).toBe('perhaps');
    expect(captionOf([[line('pattern', 0.8), line('pattern', 0.8)], [], []])).toBe('');
    expect(captionOf([[line('hardly', 0.6)], [line('hardly', 0.6)], [line('hardly', 0.6)]])).toBe('');
  });

  test('occurs once, as in the most certain frame', () => {
    const frames = [[line('OH YEAH, FRlDAY', 0.91)], [line('OH YEAH, FRIDAY', 0.99)], [line('0H YEAH FRIDAY', 0.92)]];
    expect(captionOf(frames)).toBe('OH YEAH, FRIDAY');
  });

  test('keeps its place, and long captions are cut', () => {
    expect(captionOf([[line('first'), line('second')], [line('third'), line('first')], []])).toBe('first second third');
    expect(captionOf([[line('long '.repeat(100))], [], []])).toHaveLength(300);
  });

  test('is ignored if it is a pattern or a watermark', () => {
    expect(
      captionOf([[line('I!'), line('o o'), line('giphy.com'), line('@somebody'), line('https://x.example')], [], []]),
    ).toBe('');
    expect(captionOf([[line('你好吗')], [], []])).toBe('你好吗');
  });
});
