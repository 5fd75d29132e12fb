const NO_ARGUMENTS = { type: 'object' as const };

/** The tools of the servers of the tests. */
export const TOOLS = ['echo', 'fail', 'ask'].map((name) => ({ name, inputSchema: NO_ARGUMENTS }));

/** What the tool `ask` asks a person. */
export const QUESTION = {
  message: 'Are you sure?',
  requestedSchema: {
    type: 'object' as const,
    properties: { sure: { type: 'boolean' as const } },
    required: ['sure'],
  },
};

/** Returns the text that a tool returns; undefined if there is no such tool. */
export function textOf(name: string, args: unknown): string | undefined {
  if (name === 'echo') return JSON.stringify(args ?? null);
  return name === 'fail' ? 'it failed' : undefined;
}
