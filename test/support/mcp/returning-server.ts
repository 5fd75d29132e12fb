/**
 * An MCP server that returns a result for each request at once. Before that, it writes the name of each called
 * tool into a file: `bun returning-server.ts [FILE]`.
 */

import { appendFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
let rest = '';
for await (const chunk of process.stdin) {
  const lines = `${rest}${chunk}`.split('\n');
  rest = lines.pop() ?? '';
  let out = '';
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (file !== undefined && method === 'tools/call') appendFileSync(file, `${params.name}\n`);
    out += `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n`;
  }
  process.stdout.write(out);
}
