/** A call of a tool that the model asks for. Codex names the server of a tool in a member of its own. */
export interface ToolCall {
  name: string;
  namespace?: string;
  input: Readonly<Record<string, unknown>>;
}

/** A program that plays a model for a client: it asks for the calls in turn, and then says that it is done. */
export interface Model {
  url: string;
  stop(): Promise<void>;
}

/** How an API of models writes its events. */
interface Api {
  path: string;
  /** Returns how many results of tools a request has. It is null for a request that no tool can follow. */
  resultsIn(request: ModelRequest): number | null;
  events(call: ToolCall | undefined, index: number): readonly { type: string }[];
}

interface ModelRequest {
  tools?: readonly unknown[];
  messages?: readonly { content: unknown }[];
  input?: readonly { type?: string }[];
}

/** Plays a model of the Messages API of Anthropic. */
export const anthropicModel = (calls: readonly ToolCall[]): Model =>
  model(calls, {
    path: '/v1/messages',
    resultsIn: ({ tools = [], messages = [] }) =>
      tools.length === 0
        ? null
        : messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(isToolResult)
            .length,
    events: (call, index) => {
      const block =
        call === undefined
          ? { type: 'text', text: '' }
          : { type: 'tool_use', id: `toolu_${index}`, name: call.name, input: {} };
      const delta =
        call === undefined
          ? { type: 'text_delta', text: 'done' }
          : { type: 'input_json_delta', partial_json: JSON.stringify(call.input) };
      const stopped = {
        stop_reason: call === undefined ? 'end_turn' : 'tool_use',
        stop_sequence: null,
      };
      const message = {
        id: `msg_${index}`,
        type: 'message',
        role: 'assistant',
        model: 'played',
        content: [],
      };
      return [
        {
          type: 'message_start',
          message: { ...message, stop_reason: null, usage: { input_tokens: 1, output_tokens: 1 } },
        },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: stopped, usage: { output_tokens: 1 } },
        { type: 'message_stop' },
      ];
    },
  });

/** Plays a model of the Responses API of OpenAI. */
export const openaiModel = (calls: readonly ToolCall[]): Model =>
  model(calls, {
    path: '/v1/responses',
    resultsIn: ({ input = [] }) => input.filter(({ type }) => type === 'function_call_output').length,
    events: (call, index) => {
      const item =
        call === undefined
          ? { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }
          : {
              type: 'function_call',
              call_id: `call_${index}`,
              name: call.name,
              ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
              arguments: JSON.stringify(call.input),
            };
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      return [
        { type: 'response.created', response: { id: `response_${index}` } },
        { type: 'response.output_item.done', output_index: 0, item: { id: `item_${index}`, ...item } },
        { type: 'response.completed', response: { id: `response_${index}`, usage } },
      ];
    },
  });

function model(calls: readonly ToolCall[], { path, resultsIn, events }: Api): Model {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method !== 'POST' || new URL(request.url).pathname !== path) return Response.json({});
      const body: ModelRequest = JSON.parse(await request.text());
      const results = resultsIn(body);
      const call = results === null ? undefined : calls[results];
      const text = events(call, results ?? 0)
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join('');
      return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  return { url: server.url.href.replace(/\/$/, ''), stop: () => server.stop(true) };
}

function isToolResult(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'type' in block && block.type === 'tool_result';
}
