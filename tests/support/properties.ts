import fc from 'fast-check';

/** The same inputs in every run, so that a red run is red again; `FC_SEED=random` looks for new ones, `FC_SEED=n` repeats some. */
const given = process.env.FC_SEED ?? '20260131';

if (given !== 'random') fc.configureGlobal({ seed: Number(given) });
