import sharp from 'sharp';

/*
 * Pictures of ellipses in skin colours. They show nothing, but the rating networks misjudge them. They were found by
 * trying hundreds of random ellipses.
 */

type Ellipse = readonly [x: number, y: number, width: number, height: number, colour: string];

interface Blot {
  readonly ground: string;
  readonly ellipses: readonly Ellipse[];
}

export const BLOTS = {
  /** Neither network suspects this picture. */
  calm: { ground: '#7ab8f5', ellipses: [[50, 50, 30, 20, '#fd3']] },
  /** The first network suspects this picture a little, and the second network does not suspect it at all. */
  cleared: {
    ground: 'hsl(36,40%,62%)',
    ellipses: [
      [65, 17, 31, 16, 'hsl(19,60%,73%)'],
      [45, 53, 40, 20, 'hsl(19,43%,60%)'],
      [6, 90, 39, 14, 'hsl(20,43%,76%)'],
    ],
  },
  /** The first network is sure that this picture is adult, but the second network is not sure. */
  doubtful: {
    ground: 'hsl(16,40%,71%)',
    ellipses: [
      [5, 11, 30, 19, 'hsl(29,62%,71%)'],
      [70, 81, 24, 45, 'hsl(25,46%,77%)'],
      [16, 81, 31, 41, 'hsl(18,42%,78%)'],
      [5, 15, 43, 15, 'hsl(30,49%,80%)'],
    ],
  },
  /** Both networks are sure that this picture is adult. */
  alarming: {
    ground: 'hsl(16,40%,32%)',
    ellipses: [
      [75, 80, 22, 24, 'hsl(26,50%,58%)'],
      [53, 23, 45, 23, 'hsl(20,61%,68%)'],
      [53, 51, 48, 28, 'hsl(25,64%,57%)'],
      [21, 35, 35, 22, 'hsl(23,48%,68%)'],
      [20, 83, 46, 24, 'hsl(19,52%,68%)'],
    ],
  },
} as const satisfies Record<string, Blot>;

/** Returns a GIF of two frames that differ only in a corner. */
export async function blotGif({ ground, ellipses }: Blot): Promise<Uint8Array> {
  const drawn = ellipses.map(
    ([x, y, width, height, colour]) => `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="${height}" fill="${colour}"/>`,
  );
  const frame = (dark: number): Promise<Buffer> =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="300" height="300"><rect width="100" height="100" fill="${ground}"/>${drawn.join('')}<rect width="3" height="3" opacity="${dark}"/></svg>`,
      ),
    )
      .png()
      .toBuffer();
  return sharp([await frame(0.1), await frame(0.9)], { join: { animated: true } })
    .gif({ dither: 0, delay: [200, 200] })
    .toBuffer();
}
