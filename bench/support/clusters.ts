import { random, TOPICS } from './corpus.ts';

/*
 * Synthetic vectors like those from an embedder. They have length 1, and noise in 40 directions around the centre of
 * their topic. The vectors nearest to a query are in the query's topic, and the search must find their order.
 */

const DIRECTIONS = 40;

type Random = () => number;

export interface Clusters {
  /** Returns a vector from a topic: the topic's centre plus a random step in each direction. */
  vectorOf(topic: number, next: Random): Float32Array;
}

export function makeClusters(dimensions: number): Clusters {
  const next = random(17);
  const randomVector = (): Float32Array => normalise(Float32Array.from({ length: dimensions }, () => spread(next)));
  const topics = Array.from({ length: TOPICS }, randomVector);
  const directions = Array.from({ length: DIRECTIONS }, randomVector);
  return {
    vectorOf(topic, draw) {
      const vector = Float32Array.from(topics[topic]!);
      for (const direction of directions) {
        const step = spread(draw) * 0.25;
        for (let d = 0; d < dimensions; d++) vector[d]! += step * direction[d]!;
      }
      return normalise(vector);
    },
  };
}

/** Returns the sum of three uniform numbers, which is roughly normally distributed. */
function spread(next: Random): number {
  return next() + next() + next() - 1.5;
}

function normalise(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  for (let d = 0; d < vector.length; d++) vector[d]! /= length;
  return vector;
}
