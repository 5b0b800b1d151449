import { copyEvents } from '../../../src/eventstore/copy/copyEvents.ts';
import { CopyRefused } from '../../../src/eventstore/copy/target.ts';

// Copies the events of customers from the store in the first argument to the one in the second, until it is killed.
try {
  const copied = await copyEvents({
    from: process.argv[3] ?? '',
    to: process.argv[4] ?? '',
    categories: ['customer'],
    signal: new AbortController().signal,
    onProgress: (events) => console.log(`copied ${events}`),
  });
  console.log(`complete ${copied}`);
} catch (error) {
  console.log(`${error instanceof CopyRefused ? 'refused' : 'failed'} ${error instanceof Error ? error.message : error}`);
}
