import fc, { Arbitrary, type Random, type Stream, Value } from 'fast-check';
import { type Operation, operation } from './modelOperations.ts';

type Sequence = readonly Operation[];
/**
 * How far shrinking has come: to a beginning of more than `passed` operations, then without parts of `size` operations from `index`, then
 * with simpler operations from `index`.
 */
type Progress =
  | Readonly<{ phase: 'shorten'; passed: number }>
  | Readonly<{ phase: 'omit'; size: number; index: number }>
  | Readonly<{ phase: 'simplify'; index: number }>;

function* simplerOperations(each: Operation): Generator<Operation> {
  if (each.kind === 'kill') {
    for (const index of each.appends.keys()) yield { ...each, appends: each.appends.toSpliced(index, 1) };
    return;
  }
  if (each.kind === 'scavenge' || each.kind === 'step clock') return;
  if (each.joins) yield { ...each, joins: false };
  if (each.kind !== 'append') return;
  if (each.repeats) yield { ...each, repeats: false };
  if (each.count > 1) yield { ...each, count: 1 };
  if (each.rpc === 'Append') yield { ...each, rpc: 'BatchAppend' };
}

function* candidates(sequence: Sequence, progress: Progress): Generator<Value<Sequence>> {
  const { length } = sequence;
  if (progress.phase === 'shorten') {
    const middleAfter = (passed: number): number => Math.ceil((passed + length) / 2);
    let { passed } = progress;
    for (let middle = middleAfter(passed); middle < length; middle = middleAfter(middle)) {
      yield new Value(sequence.slice(0, middle), { phase: 'shorten', passed });
      passed = middle;
    }
  }
  if (progress.phase !== 'simplify') {
    let { size, index } = progress.phase === 'omit' ? progress : { size: Math.ceil(length / 2), index: 0 };
    for (; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2), index = 0) {
      for (; index < length; index += size) {
        if (length > 1) yield new Value(sequence.toSpliced(index, size), { phase: 'omit', size, index });
      }
    }
  }
  for (let index = progress.phase === 'simplify' ? progress.index : 0; index < length; index++) {
    const each = sequence[index];
    if (!each) continue;
    for (const simpler of simplerOperations(each)) {
      yield new Value(sequence.with(index, simpler), { phase: 'simplify', index });
    }
  }
}

const isProgress = (context: unknown): context is Progress => typeof context === 'object' && context !== null && 'phase' in context;

/**
 * Sequences of `length` operations. `fc.array` omits one operation after the other, each in a run that takes a second; this halves the
 * sequence first, and omits parts of it.
 */
export class Sequences extends Arbitrary<Sequence> {
  readonly #generated: Arbitrary<Sequence>;

  constructor(length: number) {
    super();
    this.#generated = fc.noBias(fc.array(operation, { minLength: length, maxLength: length, size: 'max' }));
  }

  override generate(random: Random): Value<Sequence> {
    return new Value(this.#generated.generate(random, undefined).value, undefined);
  }

  override canShrinkWithoutContext(_value: unknown): _value is Sequence {
    return false;
  }

  override shrink(sequence: Sequence, context: unknown): Stream<Value<Sequence>> {
    return fc.stream(candidates(sequence, isProgress(context) ? context : { phase: 'shorten', passed: 0 }));
  }
}
