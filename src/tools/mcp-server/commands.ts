import { Command, Option } from 'commander';
import { chooseService } from '../../platform/client/choose-target.ts';
import { Contexts } from '../../platform/client/contexts.ts';
import { examples } from '../../platform/command-help.ts';
import { CONTEXT_VARIABLE } from '../../platform/config/resolve.ts';
import { serviceUrl } from '../../platform/network/service-url.ts';
import { printable } from '../../platform/terminal/printable.ts';
import type { ToolTarget } from './tool.ts';

interface ServeOptions {
  context?: string;
  url?: string;
  apiKeyFile?: string;
  readOnly?: boolean;
  finalizeAny?: boolean;
}

/** Returns the command `serve`, which is an MCP server. @param version of the program */
export function mcpServeCommand(version: string): Command {
  return new Command('serve')
    .summary('serve tools for agents over stdio')
    .description(
      'an MCP server over stdio: agents verify documents, check the gate, look up agents, issue and finalize receipts',
    )
    .addOption(
      new Option('--context <name>', 'the login context (default: $COUNTERSIGN_CONTEXT, or the current one)'),
    )
    .addOption(
      new Option('--url <url>', 'the service at this URL, instead of a context').argParser((text) =>
        serviceUrl(text, 'responses'),
      ),
    )
    .option('--api-key-file <file>', 'a file with the key for --url; without it, no key')
    .option('--read-only', 'leave out the tools that issue and finalize receipts')
    .option('--finalize-any', 'finalize any receipt of the key, not only those that this server issued')
    .addHelpText(
      'after',
      `
The tools have the rights of the context's key, and nothing more than these five: none revokes,
moves money, or opens a file or a URL. Without a context, the only tool is verify, with keys that
the call has in it.
${examples(
  ['Serve the tools that change nothing', 'countersign mcp serve --read-only'],
  ['With the service of another context', 'countersign mcp serve --context prod'],
)}`,
    )
    .action(async ({ readOnly = false, finalizeAny = false, ...options }: ServeOptions) => {
      const target = targetOf(options);
      const { serveTools, toolsFor } = await import('./serve.ts');
      const tools = toolsFor(target, readOnly, finalizeAny);
      const place = target === null ? 'no service: there is no login context' : target.label;
      process.stderr.write(printable(`${tools.map(({ name }) => name).join(', ')}: ${place}\n`));
      serveTools(tools, version);
    });
}

/** Returns the service that the options or the login context name; null for none. @throws Failure */
function targetOf(options: ServeOptions): ToolTarget | null {
  const { context = process.env[CONTEXT_VARIABLE] || new Contexts().current(), ...others } = options;
  if (context === null && Object.keys(others).length === 0) return null;
  const { service, context: name, url } = chooseService(options, { service: 'trust' });
  return { service, label: name === null ? url : `${url} (context ${name})` };
}
