import { expect, test } from 'bun:test';
import { streamOf } from '../../../../src/platform/http/text-stream.ts';

test('a stream of parts has each of them as UTF-8, in their order', async () => {
  const chunks: string[] = [];
  for await (const chunk of streamOf(['[', '"é"', ',"😀"', ']']))
    chunks.push(new TextDecoder().decode(chunk));
  expect(chunks).toEqual(['[', '"é"', ',"😀"', ']']);
  expect(await new Response(streamOf([])).text()).toBe('');
});
