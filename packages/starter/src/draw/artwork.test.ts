import { expect, it } from 'vitest';
import { rasterise } from './artwork.ts';

const BOARD = { width: 10, height: 10, scale: 2 };

it('each colour of a half-transparent pixel is multiplied by its alpha', async () => {
  const body = '<rect width="10" height="10" fill="rgb(200,100,40)" fill-opacity=".5"/>';
  const { width, height, data } = await rasterise(body, BOARD);
  const middle = 4 * ((height / 2) * width + width / 2);
  for (const [n, value] of [100, 50, 20, 128, 100, 50, 20, 128].entries()) {
    expect(Math.abs(data[middle + n]! - value), `byte ${n}`).toBeLessThan(2);
  }
});

it('a picture keeps its colours, and has an empty border', async () => {
  const { width, height, data } = await rasterise('<rect width="10" height="10" fill="rgb(200,100,40)"/>', BOARD);
  expect([width, height]).toEqual([24, 24]);
  const pixel = (x: number, y: number) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
  expect([pixel(12, 12), pixel(2, 2), pixel(21, 21)]).toEqual(Array(3).fill([200, 100, 40, 255]));
  for (let n = 0; n < 24; n++) {
    expect([pixel(n, 0), pixel(n, 23), pixel(0, n), pixel(23, n)]).toEqual(Array(4).fill([0, 0, 0, 0]));
  }
});
