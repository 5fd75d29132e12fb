import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { completeStories } from '../../../support/complete-stories.ts';
import { KEYS } from '../../../support/made-account.ts';
import { hasPython } from '../../../support/python.ts';

const stories = completeStories();
const { path, made, verified, failure } = stories;
const servers: Bun.Server<unknown>[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop(true);
  stories.dispose();
});

/** Serves the log with the API's list of checkpoints, until all stories are told. */
async function served<Result>(
  answer: (url: URL, usual: () => Response) => Response | undefined,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const rows = readFileSync(path('log/accounts/checkpoints.ndjson'), 'utf8').trimEnd().split('\n');
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const url = new URL(request.url);
      const usual = (): Response => {
        if (url.pathname === '/api/v1/transparency/keys') return new Response(KEYS);
        if (url.pathname === '/api/v1/receipts/checkpoints') {
          const from = Number(url.searchParams.get('cursor') ?? 0);
          const page = rows.slice(from, from + 3).join(',');
          const next = from + 3 < rows.length ? `"${from + 3}"` : 'null';
          return new Response(`{"checkpoints":[${page}],"next_cursor":${next}}`);
        }
        return new Response(Bun.file(path(url.pathname.slice(1))));
      };
      return answer(url, usual) ?? usual();
    },
  });
  servers.push(server);
  return work(`http://127.0.0.1:${server.port}`);
}

test('a service gives the newest cosigned checkpoint, the list of checkpoints, the entries and the keys', async () => {
  const asked: string[] = [];
  const { isComplete, summary } = await served(
    (url) => void asked.push(url.pathname + url.search),
    (url) => verified(made.receipts, { log: url, keys: `${url}/` }),
  );
  expect([isComplete, asked.includes('/log/accounts/checkpoint?cosigned=yes')]).toEqual([true, true]);
  expect(summary).toMatchObject({ checkpoints: made.kept.length + 1 });
});

test('a service that stops answering half-way, or lists checkpoints without end, proves nothing', async () => {
  const stops = (part: string, status = 500) =>
    served(
      (url) => (url.href.includes(part) ? new Response('gone', { status }) : undefined),
      (url) => failure({ log: url }),
    );
  expect(await stops('/tile/entries/001')).toContain('returned status 500');
  expect(await stops('cursor=6')).toContain('does not list checkpoints: status 500');
  expect(await stops('receipts/checkpoints', 404)).toContain('status 404');
  const listsAt = (pageAt: (cursor: number) => string) =>
    served(
      ({ pathname, searchParams }) =>
        pathname.endsWith('/receipts/checkpoints')
          ? new Response(pageAt(Number(searchParams.get('cursor'))))
          : undefined,
      (url) => failure({ log: url }),
    );
  const lists = (page: string) => listsAt(() => page);
  expect(await lists('{"checkpoints":[],"next_cursor":"1"}')).toContain('does not end');
  expect(await lists('{"checkpoints":[{"note":"x"}],"next_cursor":"1"}')).toContain('does not end');
  // After eleven pages it comes back to the fourth.
  const round = (cursor: number) => `{"checkpoints":[{"note":"x"}],"next_cursor":"${(cursor % 11) + 1}"}`;
  const back = (cursor: number) => (cursor === 11 ? round(3) : round(cursor));
  expect(await listsAt(back)).toContain('does not end');
  expect(await lists('{"checkpoints":5}')).toContain('in a form that the API does not have');
});

test('a service that answers too much, or sends the reader elsewhere, proves nothing', async () => {
  const answers = (part: string, answer: () => Response) =>
    served(
      (url) => (url.pathname.endsWith(part) ? answer() : undefined),
      (url) => failure({ log: url }),
    );
  const large = (size: number) => () => new Response('x'.repeat(size));
  expect(await answers('/accounts/checkpoint', large(2 ** 18 + 1))).toContain('is larger than 256 KiB');
  expect(await answers('/tile/entries/000', large(17 * 2 ** 20 + 1))).toContain('is larger than 17 MiB');
  expect(await answers('/receipts/checkpoints', large(8 * 2 ** 20 + 1))).toContain('is larger than 8 MiB');
  const elsewhere = () => Response.redirect('/log/accounts/tile/entries/001');
  expect(await answers('/accounts/checkpoint', elsewhere)).toContain('cannot be read');
});

test.skipIf(!hasPython)(
  'src/tools/python/verify.py says the same of each of these services',
  async () => {
    const { stories: count, differences, reasons } = await stories.heldAgainstPython();
    expect([count, differences]).toEqual([12, []]);
    const expected = [
      ...[/001 cannot be read: .*500/, /cursor=6 .*500/, /checkpoints\?.* cannot be read: .*404/],
      ...[/does not end/, /does not end/, /does not end/, /has another form/],
      ...[
        /checkpoint.*too large/,
        /entries\/000.*too large/,
        /checkpoints.*too large/,
        /cannot be read: .*302/,
      ],
    ];
    expect(reasons).toEqual(expected.map((reason) => expect.stringMatching(reason)));
  },
  180_000,
);
