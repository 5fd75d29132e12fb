import { expect, test } from 'bun:test';
import { commandOfPython, hasPython, pythonCommand } from '../../../support/python.ts';

const READ = `
try:
    verify.read_url(sys.argv[2], 1000, 1)
except verify.Refused as error:
    print(error)
`;

/** What a server sends at once, and then again and again. */
const ANSWERS = [
  ['a header without end', 'HTTP/1.1 200 OK\r\nX: ', 'x'],
  ['a length of a chunk without end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '0'],
  [
    'trailers without end',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n',
    'X: x\r\n',
  ],
] as const;

test.skipIf(!hasPython).each(ANSWERS)(
  'src/tools/python/verify.py waits no longer than it says for %s',
  async (_, first, then) => {
    const timers: Timer[] = [];
    const server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket) {
          socket.write(first);
          timers.push(setInterval(() => socket.write(then), 50));
        },
      },
    });
    try {
      const url = `http://127.0.0.1:${server.port}/keys`;
      const python = Bun.spawn(pythonCommand(READ, url), { stdout: 'pipe', timeout: 20_000 });
      expect(await new Response(python.stdout).text()).toBe(
        `${url} cannot be read: the response takes too long\n`,
      );
    } finally {
      for (const timer of timers) clearInterval(timer);
      server.stop(true);
    }
  },
  180_000,
);

const HELD = `
for length in (4096, 4097):
    verify.ed25519(bytes(32), bytes(length), bytes(64))
    print(verify.ed25519_once.cache_info().currsize)
`;

test.skipIf(!hasPython)('src/tools/python/verify.py holds no long messages of signatures', () => {
  const { stdout } = Bun.spawnSync(pythonCommand(HELD));
  expect(stdout.toString()).toBe('1\n1\n');
});

const FULL = `
account = verify.LinkedAccount("op_cus_A1b2C3d4E5f6G7h8I9j0K1l2", lambda problem: None)
account.table.execute("PRAGMA max_page_count = 1")
hash = "00" * 32
try:
    for count in range(1, 1000):
        account.take_leaf({"event": "issued", "sequence": count, "at": "2026-05-01T12:00:00.000Z", "agent": hash, "agent_sequence": count,
                           "receipt_id": f"rcpt_{count:032x}", "content_hash": hash}, None, None)
except verify.Refused as error:
    print(error)
`;

test.skipIf(!hasPython)('src/tools/python/verify.py proves nothing if the disk is full', () => {
  const { stdout } = Bun.spawnSync(pythonCommand(FULL));
  expect(stdout.toString()).toBe('the temporary file cannot be used: database or disk is full\n');
});

test.skipIf(!hasPython)(
  'src/tools/python/verify.py escapes what a terminal would obey in an error of a server',
  async () => {
    const answer = Buffer.from('HTTP/1.1 500 \x1b[2J\x9b1m\r\n\r\n', 'latin1');
    const server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket) {
          socket.end(answer);
        },
      },
    });
    try {
      const url = `http://127.0.0.1:${server.port}/keys`;
      const command = commandOfPython('/dev/null', '--keys', url);
      const python = Bun.spawn(command, { stderr: 'pipe', timeout: 20_000 });
      expect(await new Response(python.stderr).text()).toBe(
        `verify.py: error: ${url} cannot be read: HTTP Error 500: \\u001b[2J\\u009b1m\n`,
      );
    } finally {
      server.stop(true);
    }
  },
);
