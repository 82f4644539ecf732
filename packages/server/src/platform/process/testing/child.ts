import { endWithService } from '../index.ts';

// The program that the tests of Subprocess start. It follows the instructions of the tests.

endWithService();

process.on('message', ({ say, thenDie }: { say: string[]; thenDie?: boolean }) => {
  for (const word of say) process.send?.({ word, secret: process.env['ZOETROPE_SECRET'] ?? null });
  if (!thenDie) return;
  console.error('out of memory');
  process.exit(3);
});
process.on('SIGUSR2', () => process.send?.({ word: 'the end', secret: null }));
process.send?.({ word: 'ready', secret: null });
