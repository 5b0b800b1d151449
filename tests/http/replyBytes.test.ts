import fc from 'fast-check';
import { expect, it } from 'vitest';
import { replyBytes } from '../../src/http/requests/replyBytes.ts';

const value = fc.jsonValue({ stringUnit: 'binary' });
const list = fc.array(fc.oneof(value, fc.constant(undefined)), { minLength: 15, maxLength: 40 });
const reply = fc.dictionary(fc.string({ unit: 'binary' }), fc.oneof(list, value, fc.constant(undefined)));

it('is the JSON of any reply', () => {
  fc.assert(
    fc.property(fc.oneof(reply, list, value), (sent) => {
      expect(replyBytes(sent).toString()).toBe(JSON.stringify(sent));
    }),
  );
});

it('is text if it is short, and bytes if it has a long list or is long', () => {
  const longList = { items: Array.from({ length: 20 }, (_, index) => index) };
  expect(replyBytes({ items: [1] })).toBe('{"items":[1]}');
  expect(replyBytes(longList)).toEqual(Buffer.from(JSON.stringify(longList)));
  const longText = 'é'.repeat(20_000);
  expect(replyBytes({ longText })).toEqual(Buffer.from(JSON.stringify({ longText })));
});

it('keeps a reply when the next one is made, whether it needs more space or less', () => {
  const replyOf = (length: number) => ({ items: Array.from({ length }, (_, index) => `${'漢'.repeat(400)} ${index}`) });
  const lengths = [20, 5_000, 20, 400];
  const replies = lengths.map((length) => replyBytes(replyOf(length)));
  expect(replies.map(String)).toEqual(lengths.map((length) => JSON.stringify(replyOf(length))));
});
